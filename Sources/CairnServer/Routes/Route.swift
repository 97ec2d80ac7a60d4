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
  }

  /// How long an answer may take, and on which threads it is made.
  package enum Lane: Sendable {
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
  /// Statuses beside the usual ones whose bodies are of the route's own form.
  package var ownStatuses: [Int] = []
  /// Makes the answer; nil where it was sent already, piece by piece.
  package var run: @Sendable (Call) throws(Refusal) -> Answer?

  package init(
    _ method: String, _ pattern: String, _ scope: Scope?, _ summary: String,
    _ parameters: [Parameter] = [], body: Body = .none, lane: Lane = .request,
    part: Part = .interface, ownStatuses: [Int] = [],
    run: @escaping @Sendable (Call) throws(Refusal) -> Answer?
  ) {
    self.method = method
    self.pattern = pattern
    self.scope = scope
    self.summary = summary
    self.parameters = parameters
    self.body = body
    self.lane = lane
    self.part = part
    self.ownStatuses = ownStatuses
    self.run = run
  }

  /// The methods that it answers.
  var methods: [String] { method == "GET" ? ["GET", "HEAD"] : [method] }
}

/// Finds the route of a request.
package struct Router: Sendable {
  package let routes: [Route]
  private let parts: [[String]]

  package init(_ routes: [Route]) {
    self.routes = routes
    parts = routes.map {
      $0.pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
        String.init)
    }
  }

  /// The route for a method and a path, and what its braces stand for.
  ///
  /// - Throws: 404, or 405 with the methods that there are.
  func route(_ method: String, _ path: [String]) throws(Refusal) -> (Route, [String: String]) {
    let path = Self.trimmed(path)
    var methods: [String] = []
    for (route, parts) in zip(routes, parts) {
      guard let values = Self.match(parts, path) else { continue }
      if route.method == method || (route.method == "GET" && method == "HEAD") {
        return (route, values)
      }
      methods += route.methods
    }
    guard !methods.isEmpty else {
      throw .notFound("there is nothing at this path; see /api/v1/openapi.json")
    }
    var refusal = Refusal(405, "method", "this path does not take that method")
    refusal.headers = [Header("Allow", methods.joined(separator: ", "))]
    throw refusal
  }

  /// ActivityWatch's paths come with and without a slash at their end.
  private static func trimmed(_ path: [String]) -> [String] {
    path.starts(with: ["api", "0"]) && path.last == "" ? path.dropLast() : path
  }

  /// Methods that a path takes, for browsers that ask before they send.
  func methods(_ path: [String]) -> [String] {
    zip(routes, parts).filter { Self.match($0.1, Self.trimmed(path)) != nil }
      .flatMap(\.0.methods)
  }

  private static func match(_ parts: [String], _ path: [String]) -> [String: String]? {
    var (parts, path, values) = (parts, path, [String: String]())
    // What ends with a star stands for the rest of the path.
    if let last = parts.last, last.hasSuffix("*}"), path.count >= parts.count {
      values[String(last.dropFirst().dropLast(2))] = path[(parts.count - 1)...].joined(
        separator: "/")
      parts.removeLast()
      path.removeSubrange(parts.count...)
    }
    guard parts.count == path.count else { return nil }
    for (part, text) in zip(parts, path) {
      if part.hasPrefix("{") {
        guard !text.isEmpty else { return nil }
        values[String(part.dropFirst().dropLast())] = text
      } else if part != text {
        return nil
      }
    }
    return values
  }
}
