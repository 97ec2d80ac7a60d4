package import Cairn

/// One line of `search --queries`: a query with its own options.
package struct QueryLine {
  package var request: SearchRequest
  package var point: Point
  package var now: Timestamp?
  package var scales: ScaleChoice?
  /// Which attributes come with a hit; nil for the usual ones.
  package var names: Set<String>?
  /// In which times without an offset are read.
  private let zone: CivilZone
  private var (since, until) = (Timestamp.earliest, Timestamp.latest)

  /// What holds for whatever a line leaves out.
  package init(
    request: SearchRequest, point: Point, now: Timestamp? = nil, scales: ScaleChoice? = nil,
    names: Set<String>? = nil, zone: CivilZone
  ) {
    self.request = request
    self.point = point
    self.now = now
    self.scales = scales
    self.names = names
    self.zone = zone
    if let span = request.within { (since, until) = (span.lowerBound, span.upperBound) }
  }

  /// The query as the line says, for what it leaves out as the command line said.
  package static func parse(
    _ line: ArraySlice<UInt8>, defaults: QueryLine, store: Store
  ) throws(MalformedLine) -> QueryLine {
    let members: JSONObject
    do throws(CairnError) {
      guard case .object(let object) = try JSONValue(parsing: line.span) else {
        throw CairnError(.badEvent, "not a JSON object")
      }
      members = object
    } catch { throw MalformedLine(reason: error.message) }
    return try defaults.applying(members, store: store)
  }

  /// The query with what an object says in place of what holds otherwise.
  package func applying(_ members: JSONObject, store: Store) throws(MalformedLine) -> QueryLine {
    var query = self
    var hasText = false
    for member in members {
      hasText = hasText || member.key == "query"
      try query.set(member.key, member.value, store)
    }
    guard hasText else { throw MalformedLine(reason: "no query") }
    guard query.since <= query.until else { throw MalformedLine(reason: "since is after until") }
    let isOfSpan = query.since != .earliest || query.until != .latest
    query.request.within = isOfSpan ? query.since...query.until : nil
    return query
  }

  private mutating func set(_ key: String, _ value: JSONValue, _ store: Store) throws(MalformedLine)
  {
    if value == .null, key != "query" { return try takeBack(key) }
    switch (key, value) {
    case ("query", .string(let text)): request.text = text
    case ("match", .string(let text)): request.mode = try Self.choice(text, key)
    case ("sort", .string(let text)): request.sort = try Self.choice(text, key)
    case ("facet", .string(let text)): request.facets = [try Self.attribute(text, of: 10, key)]
    case ("facet", .array(let elements)):
      request.facets = try elements.map { (element) throws(MalformedLine) in
        guard case .string(let text) = element else {
          throw MalformedLine(reason: "facet has a value of the wrong type")
        }
        return try Self.attribute(text, of: 10, key)
      }
    case ("groupBy", .string(let text)): request.groupBy = try Self.attribute(text, of: 1, key)
    case ("exact", .bool(let isExact)): request.isExact = isExact
    case ("explain", .bool(let explains)): request.explains = explains
    case ("domain", .string(let text)): request.domain = text
    case ("filter", .string(let text)): request.filter = text
    case ("stem", .string(let text)):
      request.language = SearchLanguage(text)
      request.findsLanguage = text == "auto"
      guard text == "off" || text == "auto" || request.language != nil else {
        throw MalformedLine(reason: "stem is no language whose endings are known")
      }
    case ("limit", .number(let digits)): request.limit = try Self.limit(digits, key)
    case ("offset", .number(let digits)): request.offset = try Self.count(digits, key)
    case ("asOf", .string(let text)), ("asOf", .number(let text)):
      point = try Self.parsed("asOf") { () throws(CairnError) in
        try store.point(text, zone: zone)
      }
    case ("now", _): now = try time(key, value).start
    case ("scales", .string(let text)):
      guard let choice = ScaleChoice(text) else {
        throw MalformedLine(reason: "scales are no six numbers from 1/64 to 64")
      }
      scales = choice
    case ("fields", .string(let text)): names = try Self.named(text)
    case ("actor", _), ("session", _), ("device", _), ("after", _), ("byHour", _):
      try setContext(key, value)
    case ("since", _): since = try time(key, value).start
    case ("until", _): until = try time(key, value).end
    case ("query", _), ("match", _), ("sort", _), ("exact", _), ("explain", _), ("domain", _),
      ("stem", _), ("filter", _), ("limit", _), ("offset", _), ("asOf", _),
      ("scales", _), ("facet", _), ("groupBy", _), ("fields", _):
      throw MalformedLine(reason: "\(key) has a value of the wrong type")
    default: throw Self.unknownKey
    }
  }

  /// Sets a key back to its default: null takes back what the command line said.
  private mutating func takeBack(_ key: String) throws(MalformedLine) {
    let usual = SearchRequest("")
    switch key {
    case "match": request.mode = usual.mode
    case "sort": request.sort = usual.sort
    case "facet": request.facets = usual.facets
    case "groupBy": request.groupBy = nil
    case "exact": request.isExact = false
    case "explain": request.explains = false
    case "domain": request.domain = nil
    case "filter": request.filter = nil
    case "stem": (request.language, request.findsLanguage) = (nil, usual.findsLanguage)
    case "limit": request.limit = usual.limit
    case "offset": request.offset = usual.offset
    case "asOf": point = .head
    case "now": now = nil
    case "since": since = .earliest
    case "until": until = .latest
    case "scales": scales = nil
    case "fields": names = nil
    case "actor": request.context?.actor = nil
    case "session": request.context?.session = nil
    case "device": request.context?.device = nil
    case "after": request.context?.previousItem = nil
    case "byHour": request.context?.countsHour = false
    default: throw Self.unknownKey
    }
    if request.context == SearchContext() { request.context = nil }
  }

  private static let unknownKey = MalformedLine(
    reason: "an unknown key; the help of search lists them")

  private func time(_ key: String, _ value: JSONValue) throws(MalformedLine) -> TimeExpression {
    switch value {
    case .string(let text), .number(let text):
      return try Self.parsed(key) { () throws(CairnError) in try TimeExpression(text, zone: zone) }
    default: throw MalformedLine(reason: "\(key) has a value of the wrong type")
    }
  }

  private mutating func setContext(_ key: String, _ value: JSONValue) throws(MalformedLine) {
    var context = request.context ?? SearchContext()
    switch (key, value) {
    case ("byHour", .bool(let counts)): context.countsHour = counts
    case ("actor", .string(let name)): context.actor = name
    case ("session", .string(let name)): context.session = name
    case ("device", .string(let name)): context.device = name
    case ("after", .string(let name)): context.previousItem = name
    default: throw MalformedLine(reason: "\(key) has a value of the wrong type")
    }
    request.context = context == SearchContext() ? nil : context
  }

  private static func parsed<R>(_ key: String, _ read: () throws(CairnError) -> R)
    throws(MalformedLine) -> R
  { do { return try read() } catch { throw MalformedLine(reason: "\(key): \(error.message)") } }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ key: String
  ) throws(MalformedLine) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw MalformedLine(reason: "\(key) is none of \(known)")
    }
    return choice
  }

  private static func attribute(_ text: String, of limit: Int, _ key: String) throws(MalformedLine)
    -> AttributeLimit
  {
    guard let attribute = AttributeLimit(text, otherwise: limit) else {
      throw MalformedLine(reason: "\(key) is no KEY and no KEY:N")
    }
    return attribute
  }

  /// The names in a list with commas between them; nil for none.
  package static func names(in list: String) -> Set<String>? {
    let names = Set(list.split(separator: ",").map { String($0) })
    return names.isEmpty ? nil : names
  }

  private static func named(_ list: String) throws(MalformedLine) -> Set<String> {
    guard let names = Self.names(in: list) else {
      throw MalformedLine(reason: "fields names no attribute")
    }
    return names
  }

  private static func count(_ digits: String, _ key: String) throws(MalformedLine) -> Int {
    guard let count: Int = JSONValue.number(digits).whole(), count >= 0 else {
      throw MalformedLine(reason: "\(key) is no whole number from 0")
    }
    return count
  }

  /// A limit, of which 0 means none.
  private static func limit(_ digits: String, _ key: String) throws(MalformedLine) -> Int? {
    let count = try count(digits, key)
    return count == 0 ? nil : count
  }
}

/// Why a line is no query, or a row of a table no event.
package struct MalformedLine: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

extension JSONValue {
  /// A whole number, also one that a client writes as `1000.0` or `1e3`, as those do that keep all
  /// numbers of JSON as doubles.
  package func whole<Number: FixedWidthInteger>() -> Number? {
    guard case .number(let text) = self else { return nil }
    // Beyond that, a double may be another number than the text.
    return Number(text)
      ?? Double(text).flatMap { $0.magnitude < 0x1p53 ? Number(exactly: $0) : nil }
  }
}
