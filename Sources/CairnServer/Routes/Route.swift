/// A path, a method, who may ask and what answers.
package struct Route: Sendable {
  /// What a request may bring.
  package enum Body: Sendable {
    case none
    /// JSON of so many bytes at most; an empty body stands for `{}` where it may.
    case json(limit: Int)
    /// A JSON object of 1 MiB at most with these members.
    case object([Parameter])
    /// JSON, or lines of it of any length.
    case events
    /// Anything; the handler reads it.
    case file(limit: Int)
    /// What a form of one of our pages sends.
    case form(limit: Int)

    /// How many bytes it may have; nil for lines, which are read as they come.
    var byteCountMax: Int? {
      switch self {
      case .none: 0
      case .json(let limit), .file(let limit), .form(let limit): limit
      case .object: ServiceLimits.jsonByteCount
      case .events: nil
      }
    }
  }

  /// What an answer holds that is no refusal.
  package enum Form: Sendable {
    case nothing
    case object
    /// A page of rows, or lines with one each.
    case list
    /// A text or file of one of these types.
    case file([String])
  }

  /// How long an answer may take, and on which threads it is made.
  package enum Lane: Sendable {
    /// At once, on threads that nothing else runs on.
    case health
    /// Within 30 seconds, on threads of watchers, who forget what they are refused.
    case watch
    /// Within 30 seconds, on one of 32 threads.
    case request
    /// As long as it likes, on one of those threads.
    case stream
    /// Most of the time waiting for something to happen, on a thread apart.
    case feed
  }

  /// What it is part of, which decides about redirects and headers.
  package enum Part: Sendable { case interface, page, asset, operation, watch }

  package var method: String
  /// Parts between slashes; one in braces stands for any text, with a star for all that follows.
  package var pattern: String
  /// What a token must allow; nil where none is needed.
  package var scope: Scope?
  package var part = Part.interface
  package var body = Body.none
  package var lane = Lane.request
  package var parameters: [Parameter] = []
  package var summary: String
  /// Whether it leaves the store as it is, so that a server that may not write answers it.
  package var isReading: Bool
  /// Statuses beside the usual ones whose bodies are of the route's own form.
  package var ownStatuses: [Int] = []
  package var form: Form
  /// Makes the answer; nil where it was sent already, piece by piece.
  package var run: @Sendable (Call) throws(Refusal) -> Answer?

  package init(
    _ method: String, _ pattern: String, _ scope: Scope?, _ summary: String,
    _ parameters: [Parameter] = [], body: Body = .none, lane: Lane = .request,
    part: Part = .interface, isReading: Bool = false, ownStatuses: [Int] = [],
    gives form: Form? = nil, run: @escaping @Sendable (Call) throws(Refusal) -> Answer?
  ) {
    self.method = method
    self.pattern = pattern
    self.scope = scope
    self.summary = summary
    self.parameters = parameters
    self.body = body
    self.lane = lane
    self.part = part
    self.isReading = isReading || method == "GET" || scope == nil || scope == .read
    self.ownStatuses = ownStatuses
    self.form = form ?? (method == "DELETE" ? .nothing : .object)
    self.run = run
  }

  var methods: [String] { method == "GET" ? ["GET", "HEAD"] : [method] }
}

package struct Router: Sendable {
  package let routes: [Route]
  private let patterns: [RoutePattern]
  /// Where the routes of a path are that name it whole.
  private var named: [[String]: [Int]] = [:]

  package init(_ routes: [Route]) {
    self.routes = routes
    patterns = routes.map { RoutePattern($0.pattern) }
    for (place, route) in routes.enumerated() where !route.pattern.contains("{") {
      let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      named[path.map(String.init), default: []].append(place)
    }
  }

  /// The route for a method and a path, and what its braces stand for.
  /// - Throws: 404, or 405 with the methods that there are.
  func route(_ method: String, _ path: [String]) throws(Refusal) -> (Route, [String: String]) {
    let path = Self.trimmed(path)
    let found = matching(path)
    if let place = found.first(where: { routes[$0].methods.contains(method) }) {
      return (routes[place], patterns[place].values(path))
    }
    guard !found.isEmpty else {
      throw .notFound("there is nothing at this path; see /api/v1/openapi.json")
    }
    let methods = found.flatMap { routes[$0].methods } + ["OPTIONS"]
    throw Refusal(
      405, "method", "this path does not take that method",
      headers: [Header("Allow", methods.joined(separator: ", "))])
  }

  /// ActivityWatch's paths come with and without a slash at their end.
  private static func trimmed(_ path: [String]) -> [String] {
    path.starts(with: ["api", "0"]) && path.last == "" ? path.dropLast() : path
  }

  /// Methods that a path takes, for browsers that ask before they send.
  func methods(_ path: [String]) -> [String] {
    matching(Self.trimmed(path)).flatMap { routes[$0].methods }
  }

  /// Where the routes of a path are; those that name it whole keep out those with braces.
  private func matching(_ path: [String]) -> [Int] {
    named[path] ?? patterns.indices.filter { patterns[$0].fits(path) }
  }
}

/// The pattern of a route, taken apart.
private struct RoutePattern: Sendable {
  private enum Part: Sendable {
    case text(String)
    case value(String)
  }

  private var parts: [Part] = []
  /// What the rest of a path is called; nil where nothing may follow.
  private var rest: String?

  init(_ pattern: String) {
    for part in pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      if part.hasSuffix("*}") {
        rest = String(part.dropFirst().dropLast(2))
      } else if part.hasPrefix("{") {
        parts.append(.value(String(part.dropFirst().dropLast())))
      } else {
        parts.append(.text(String(part)))
      }
    }
  }

  /// Whether a path is one of those that the pattern stands for.
  func fits(_ path: [String]) -> Bool {
    guard rest == nil ? path.count == parts.count : path.count > parts.count else { return false }
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let text): if path[index] != text { return false }
      case .value: if path[index].isEmpty { return false }
      }
    }
    return true
  }

  /// What the names in the pattern stand for in a path that fits.
  func values(_ path: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for (index, part) in parts.enumerated() {
      if case .value(let name) = part { values[name] = path[index] }
    }
    if let rest { values[rest] = path[parts.count...].joined(separator: "/") }
    return values
  }
}
