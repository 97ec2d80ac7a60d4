/// A value of a query, read and not yet computed.
indirect enum QueryExpression {
  case integer(Int)
  case text(String)
  case variable(String)
  case call(String, [QueryExpression])
  case list([QueryExpression])
  case dictionary([(String, QueryExpression)])
}

/// Reads statements as aw-core's `parse` methods do, their oddities included.
struct QueryParser {
  /// How deep lists, dictionaries and calls may stand in each other.
  static let depth = 64

  private var scanner: QueryScanner

  init(length: Int) { scanner = QueryScanner(length: length) }

  /// The variable that a statement sets, and to what.
  mutating func assignment(_ line: QueryText) throws(QueryFailure)
    -> (name: String, value: QueryExpression)
  {
    // Without an equals sign Python's slices take all but the last, and all.
    let separator = line.firstIndex(of: "=")
    let value = separator.map { line[($0 + 1)...] } ?? line
    guard !value.isEmpty else { throw .parse("Nothing to assign") }
    let left = separator.map { line[..<$0] } ?? line.dropLast()
    guard let target = try scanner.token(left) else {
      throw .parse("Cannot assign to a non-variable")
    }
    guard target.rest.trimmed.isEmpty else {
      throw .parse("Invalid syntax for assignment variable")
    }
    guard target.kind == .variable else { throw .parse("Cannot assign to a non-variable") }
    guard let token = try scanner.token(value) else { throw .parse("Nothing to assign") }
    guard token.rest.isEmpty else { throw .parse("Invalid syntax for value to assign") }
    return (target.token.string, try expression(token.kind, token.token, depth: 0))
  }

  private mutating func expression(_ kind: QueryTokenKind, _ token: QueryText, depth: Int)
    throws(QueryFailure) -> QueryExpression
  {
    guard depth <= Self.depth else { throw .parse("The query nests too deep.") }
    switch kind {
    case .integer:
      guard let value = Self.integer(token) else { throw .parse("A number is too large.") }
      return .integer(value)
    case .string: return .text(Self.unquoted(token))
    case .variable: return .variable(token.string)
    case .function: return try call(token, depth: depth)
    case .list: return .list(try elements(token, depth: depth))
    case .dictionary: return .dictionary(try members(token, depth: depth))
    }
  }

  private static func integer(_ token: QueryText) -> Int? {
    var value = 0
    for scalar in token {
      guard scalar.properties.numericType == .decimal,
        let digit = scalar.properties.numericValue.map(Int.init)
      else { return nil }
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, stillTooLarge) = product.addingReportingOverflow(digit)
      guard !tooLarge, !stillTooLarge else { return nil }
      value = sum
    }
    return value
  }

  /// Without its quotes, escaped ones as they are meant.
  private static func unquoted(_ token: QueryText) -> String {
    guard let quote = token.first else { return "" }
    var scalars: [Unicode.Scalar] = []
    for scalar in token {
      if scalar == quote, scalars.last == "\\" { scalars.removeLast() }
      scalars.append(scalar)
    }
    return scalars.dropFirst().dropLast().string
  }

  private mutating func call(_ token: QueryText, depth: Int) throws(QueryFailure) -> QueryExpression
  {
    let open = token.firstIndex(of: "(") ?? token.endIndex
    var rest = token[(open + 1)..<(token.endIndex - 1)]
    var arguments: [QueryExpression] = []
    while !rest.isEmpty {
      guard let next = try scanner.token(rest) else { break }
      rest = next.rest
      if let comma = rest.firstIndex(of: ",") { rest = rest[(comma + 1)...] }
      arguments.append(try expression(next.kind, next.token, depth: depth + 1))
    }
    return .call(token[..<open].string, arguments)
  }

  private mutating func elements(_ token: QueryText, depth: Int) throws(QueryFailure)
    -> [QueryExpression]
  {
    var rest = token.inside
    var elements: [QueryExpression] = []
    while !rest.isEmpty {
      rest = try entry(rest, isFirst: elements.isEmpty)
      guard let value = try scanner.token(rest) else {
        throw .parse("List expected a value, got nothing")
      }
      rest = value.rest
      elements.append(try expression(value.kind, value.token, depth: depth + 1))
    }
    return elements
  }

  private mutating func members(_ token: QueryText, depth: Int) throws(QueryFailure)
    -> [(String, QueryExpression)]
  {
    var rest = token.inside
    var members: [(String, QueryExpression)] = []
    while !rest.isEmpty {
      rest = try entry(rest, isFirst: members.isEmpty)
      guard let key = try scanner.token(rest), key.kind == .string else {
        throw .parse("Key in dict is not a str")
      }
      rest = key.rest.trimmed
      guard rest.first == ":" else { throw .parse("Key in dict is not followed by a :") }
      guard let value = try scanner.token(rest.dropFirst()) else {
        throw .parse("Dict expected a value, got nothing")
      }
      rest = value.rest
      let read = try expression(value.kind, value.token, depth: depth + 1)
      members.append((Self.unquoted(key.token), read))
    }
    return members
  }

  /// What stands behind blanks and, but for the first entry, a comma.
  private func entry(_ rest: QueryText, isFirst: Bool) throws(QueryFailure) -> QueryText {
    let rest = rest.trimmed
    if isFirst { return rest }
    guard let first = rest.first else { throw .parse("Expected a value, got nothing.") }
    return first == "," ? rest.dropFirst() : rest
  }
}

extension QueryText {
  /// Between the first and the last character.
  fileprivate var inside: QueryText { count < 2 ? self[endIndex...] : dropFirst().dropLast() }
}
