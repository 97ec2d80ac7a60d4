package import Values

/// Reads the query language of Core Spotlight.
///
/// ```
/// query      = or-expr
/// or-expr    = and-expr { "||" and-expr }
/// and-expr   = not-expr { "&&" not-expr }
/// not-expr   = [ "!" ] primary
/// primary    = "(" or-expr ")" | "InRange" "(" attribute "," scalar "," scalar ")" | comparison
/// comparison = attribute operator [ "[" modifiers "]" ] value
/// ```
///
/// `=` reads as `==`, modifiers stand behind the operator in brackets or behind the closing quote,
/// and either quote opens a string. Everything the grammar does not name is an error with its
/// place.
package struct QueryParser {
  private var scanner: QueryScanner
  private var depth = 0
  private var termCount = 0

  private init(_ text: String) { scanner = QueryScanner(text) }

  /// Reads a whole query.
  /// - Complexity: O(length); the stack grows with the depth limit only.
  /// - Throws: `.badQuery` with the offset of what could not be read.
  package static func parse(_ text: String) throws(CairnError) -> Expression {
    guard text.utf8.count <= QueryLimits.byteCountMax else {
      throw CairnError(
        .badQuery, "a query has at most \(QueryLimits.byteCountMax) bytes; split it or shorten it",
        at: QueryLimits.byteCountMax)
    }
    var parser = QueryParser(text)
    parser.scanner.skipSpace()
    guard !parser.scanner.isAtEnd else {
      throw CairnError(
        .badQuery, "the query is empty; write for example title == \"x*\"cd",
        at: parser.scanner.position)
    }
    let expression = try parser.disjunction()
    guard parser.scanner.isAtEnd else {
      throw parser.scanner.error("expected && or || or the end of the query")
    }
    return expression
  }

  private mutating func disjunction() throws(CairnError) -> Expression {
    var members = [try conjunction()]
    while scanner.skip("||") { members.append(try conjunction()) }
    return members.count == 1 ? members[0] : .any(Self.merged(members, \.disjuncts))
  }

  private mutating func conjunction() throws(CairnError) -> Expression {
    var members = [try negation()]
    while scanner.skip("&&") { members.append(try negation()) }
    return members.count == 1 ? members[0] : .all(Self.merged(members, \.conjuncts))
  }

  private static func merged(_ members: [Expression], _ inner: (Expression) -> [Expression]?)
    -> [Expression]
  { members.flatMap { inner($0) ?? [$0] } }

  private mutating func negation() throws(CairnError) -> Expression {
    let start = scanner.position
    guard scanner.skip("!") else { return try primary() }
    guard scanner.next != UInt8(ascii: "(") else { return .not(try primary()) }
    try enter(at: start)
    let inner = try primary()
    depth -= 1
    return .not(inner)
  }

  private mutating func primary() throws(CairnError) -> Expression {
    let start = scanner.position
    guard scanner.skip("(") else { return try term() }
    try enter(at: start)
    let inner = try disjunction()
    try scanner.expect(")")
    depth -= 1
    return inner
  }

  private mutating func enter(at start: Int) throws(CairnError) {
    depth += 1
    guard depth <= QueryLimits.depthMax else {
      throw CairnError(
        .badQuery, "parentheses are nested at most \(QueryLimits.depthMax) deep; flatten the query",
        at: start)
    }
  }

  private mutating func term() throws(CairnError) -> Expression {
    let start = scanner.position
    let field = try scanner.field()
    termCount += 1
    guard termCount <= QueryLimits.termCountMax else {
      throw CairnError(
        .badQuery, "a query has at most \(QueryLimits.termCountMax) comparisons; split it",
        at: start)
    }
    scanner.skipSpace()
    if field == .attribute("InRange"), scanner.skip("(") { return .inRange(try rangeTest()) }
    return .comparison(try comparison(of: field))
  }

  private mutating func rangeTest() throws(CairnError) -> RangeTest {
    let field = try scanner.field()
    scanner.skipSpace()
    try scanner.expect(",")
    let lower = try scanner.scalar()
    try scanner.expect(",")
    let upper = try scanner.scalar()
    try scanner.expect(")")
    return RangeTest(field, lower, upper)
  }

  private mutating func comparison(of field: Field) throws(CairnError) -> Comparison {
    let relation = try scanner.relation()
    var options: TextPattern.Options = []
    if scanner.skip("[") {
      options = try scanner.modifiers()
      guard !options.isEmpty else { throw scanner.error("expected one or more of c, d, w, t") }
      scanner.skipSpace()
      try scanner.expect("]")
    }
    return Comparison(field, relation, try scanner.value(options))
  }
}

extension Expression {
  fileprivate var conjuncts: [Expression]? {
    if case .all(let members) = self { members } else { nil }
  }

  fileprivate var disjuncts: [Expression]? {
    if case .any(let members) = self { members } else { nil }
  }
}
