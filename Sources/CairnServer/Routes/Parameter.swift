package import Cairn

/// What may stand in a query or in the object of a body, for the checks and for the description of
/// the interface.
package struct Parameter: Sendable {
  package enum Kind: Sendable {
    case text
    /// A whole number from 0 to a bound.
    case count(max: Int)
    case flag
    case choice([String])
    /// A sequence, a time or a snapshot's name.
    case point
    case time
    case sequence
    /// A number of seconds, whole or not.
    case seconds
    /// An object with any members.
    case values
    /// A text, or a list of them.
    case texts
    case sequences
    /// A list of objects with these members.
    case objects([Parameter])
    /// A time, null for no end, or false for now.
    case end
  }

  package var name: String
  package var kind: Kind
  package var isRequired = false
  /// Whether it may come several times.
  package var repeats = false
  /// What it does, in a line; nil for what ``usualSummary`` says.
  private var ownSummary: String?

  package init(
    _ name: String, _ kind: Kind, required: Bool = false, repeats: Bool = false,
    _ summary: String? = nil
  ) {
    self.name = name
    self.kind = kind
    isRequired = required
    self.repeats = repeats
    ownSummary = summary
  }

  /// What it does, in a line.
  package var summary: String { ownSummary ?? usualSummary ?? "" }

  static let asOf = Parameter("asOf", .point)
  static let clock = Parameter("clock", .time)
  static let domain = Parameter("domain", .text)
  static let limit = Parameter("limit", .count(max: 10_000))
  static let offset = Parameter("offset", .count(max: offsetMax))
  static let facet = Parameter("facet", .text, repeats: true)
  static let groupBy = Parameter("groupBy", .text)
  static let offsetMax = 1_000_000
}

/// The values in a query, checked against what a route takes.
package struct Parameters: Sendable {
  private var values: [(name: String, value: String)]

  /// - Throws: 400 for a name that the route does not know, or that comes twice.
  init(_ query: [(name: String, value: String)], of known: [Parameter]) throws(Refusal) {
    for (index, pair) in query.enumerated() {
      guard let parameter = known.first(where: { $0.name == pair.name }) else {
        let names = known.map(\.name).joined(separator: ", ")
        let what = known.isEmpty ? "takes none" : "takes \(names)"
        throw Refusal(
          400, "badArgument", "an unknown parameter; this route \(what)",
          place: Refusal.place(pair.name))
      }
      let isAgain = query[..<index].contains { $0.name == pair.name }
      guard parameter.repeats || !isAgain else { throw .parameter(pair.name, "comes twice") }
    }
    for parameter in known where parameter.isRequired {
      guard query.contains(where: { $0.name == parameter.name }) else {
        throw .parameter(parameter.name, "is missing")
      }
    }
    values = query
  }

  /// Refuses members that nobody knows, rather than doing something else than was meant, and an
  /// object that lacks one.
  static func check(_ object: JSONObject, of known: [Parameter]) throws(Refusal) {
    for member in object where !known.contains(where: { $0.name == member.key }) {
      let names = known.map(\.name).joined(separator: ", ")
      throw Refusal(
        400, "badArgument", "an unknown member; known are: \(names.isEmpty ? "none" : names)",
        place: Refusal.place(member.key) ?? "body")
    }
    for parameter in known where parameter.isRequired && object[parameter.name] == nil {
      throw .parameter(parameter.name, "is missing")
    }
  }

  package func text(_ name: String) -> String? { values.first { $0.name == name }?.value }

  /// A text that is there and not empty: a form sends its empty fields too.
  package func filled(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// All of those.
  var nonEmpty: Parameters {
    var parameters = self
    parameters.values.removeAll { $0.value.isEmpty }
    return parameters
  }

  package func texts(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// A number from 0 to a bound.
  package func count(_ name: String, max: Int) throws(Refusal) -> Int? {
    guard let text = text(name) else { return nil }
    guard text.utf8.allSatisfy(\.isASCIIDigit), let count = Int(text), count <= max
    else { throw .parameter(name, "takes a whole number from 0 to \(max)") }
    return count
  }

  package func sequence(_ name: String) throws(Refusal) -> UInt64? {
    guard let text = text(name) else { return nil }
    guard let number = Self.number(text) else {
      throw .parameter(name, "takes a sequence number")
    }
    return number
  }

  /// A number without a sign; what no log reaches lies beyond the end of any.
  static func number(_ text: String) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return UInt64(text) ?? .max
  }

  package func flag(_ name: String) throws(Refusal) -> Bool {
    switch text(name) {
    case nil, "false"?, "0"?: false
    case "true"?, "1"?, ""?: true
    default: throw .parameter(name, "takes true or false")
    }
  }

  package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String)
    throws(Refusal) -> Choice?
  {
    guard let text = text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .parameter(name, "takes one of \(known)")
    }
    return choice
  }

  /// A time as people write it; a span stands for its first moment, or for its last.
  package func time(_ name: String, isEnd: Bool = false) throws(Refusal) -> Timestamp? {
    try text(name).map { (text) throws(Refusal) in try Self.time(text, name, isEnd: isEnd) }
  }

  static func time(_ text: String, _ name: String, isEnd: Bool) throws(Refusal) -> Timestamp {
    do {
      let time = try TimeExpression(unspaced(text), zone: .local)
      return isEnd ? time.end : time.start
    } catch { throw .parameter(name, error.message) }
  }

  /// A time as it was meant: a plus sign that was not escaped has become a space.
  static func unspaced(_ text: String) -> String {
    let time = text.replacing(" ", with: "+")
    return Timestamp(rfc3339: time) == nil ? text : time
  }

  /// From `since` until `until`, both ends included; nil where neither is named.
  func span() throws(Refusal) -> ClosedRange<Timestamp>? {
    let since = try time("since")
    let until = try time("until", isEnd: true)
    guard since != nil || until != nil else { return nil }
    try Self.checkSpan(since, until)
    return (since ?? .earliest)...(until ?? .latest)
  }

  /// Refuses a span that ends before it begins: nothing lies in it.
  static func checkSpan(_ since: Timestamp?, _ until: Timestamp?) throws(Refusal) {
    if let since, let until, since > until { throw .parameter("since", "is after until") }
  }

  package func kind(_ name: String) throws(Refusal) -> EventKind? {
    try text(name).map { (text) throws(Refusal) in try Self.kind(text, name) }
  }

  static func kind(_ text: String, _ name: String) throws(Refusal) -> EventKind {
    guard let kind = EventKind(name: text) else {
      throw .parameter(name, "takes one of \(EventKind.names.joined(separator: ", "))")
    }
    return kind
  }
}
