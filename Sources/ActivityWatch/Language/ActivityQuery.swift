import Events

/// Runs a query of ActivityWatch's language over one period.
///
/// The language, its functions and its oddities are those of aw-core 0.5 (`aw_query`,
/// `aw_transform`), so that pages and scripts written for it give the same answers. A query holds
/// at most 256 MiB, is read in linear time, and runs on the thread that calls.
package struct ActivityQuery {
  let source: any BucketSource
  let memory: QueryMemory
  /// Asked now and then; true ends the query with a failure.
  let isCancelled: () -> Bool
  private(set) var variables: [String: QueryValue]

  /// What query texts read as constants.
  private static var constants: [String: QueryValue] {
    [
      "True": .boolean(true), "False": .boolean(false), "true": .boolean(true),
      "false": .boolean(false),
    ]
  }

  /// The value that a query gives to `RETURN`.
  ///
  /// The text is statements, parted by semicolons; `NAME`, `STARTTIME` and `ENDTIME` stand for the
  /// name and both ends as texts. What the source throws is a failure of the function that asked.
  package static func run(
    _ text: String, name: String, from: ActivityTime, to: ActivityTime,
    source: any BucketSource, memory: QueryMemory = QueryMemory(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(QueryFailure) -> QueryValue {
    var query = ActivityQuery(
      source: source, memory: memory, isCancelled: isCancelled,
      variables: constants.merging(
        ["NAME": .text(name), "STARTTIME": .text(from.isoformat), "ENDTIME": .text(to.isoformat)],
        uniquingKeysWith: { $1 }))
    let scalars = ArraySlice(text.unicodeScalars)
    var parser = QueryParser(length: scalars.count)
    for statement in statements(of: scalars) {
      let (variable, expression) = try parser.assignment(statement)
      query.variables[variable] = try query.value(of: expression)
    }
    guard let result = query.variables["RETURN"] else {
      throw .parse("Query doesn't assign the RETURN variable, nothing to respond")
    }
    return result
  }

  /// Statements without the blanks around them, empty ones left out.
  private static func statements(of text: QueryText) -> [QueryText] {
    var statements: [QueryText] = []
    var start = text.startIndex
    var quote: Unicode.Scalar?
    var previous: Unicode.Scalar?
    for (index, scalar) in zip(text.indices, text) {
      if scalar == "'" || scalar == "\"", previous != "\\", quote == nil || quote == scalar {
        quote = quote == nil ? scalar : nil
      } else if scalar == ";", quote == nil {
        statements.append(text[start..<index])
        start = index + 1
      }
      previous = scalar
    }
    statements.append(text[start...])
    return statements.map(\.trimmed).filter { !$0.isEmpty }
  }

  private func values(of expressions: [QueryExpression]) throws(QueryFailure) -> [QueryValue] {
    try expressions.map { (expression) throws(QueryFailure) in try value(of: expression) }
  }

  private func value(of expression: QueryExpression) throws(QueryFailure) -> QueryValue {
    switch expression {
    case .integer(let value): return .integer(value)
    case .text(let text): return .text(text)
    case .variable(let name):
      guard let value = variables[name] else {
        throw .interpret("Tried to reference variable '\(name)' which is not defined")
      }
      return value
    case .list(let elements):
      return .list(try QueryList(try values(of: elements), memory))
    case .dictionary(let members):
      let values = try members.map { (key, member) throws(QueryFailure) in
        (key, try value(of: member))
      }
      return .object(try QueryMembers(KeyOrdered(unordered: values), memory))
    case .call(let name, let arguments):
      guard let function = QueryFunctions.named[name] else {
        throw .interpret("Tried to call function '\(name)' which doesn't exist")
      }
      let values = try values(of: arguments)
      if isCancelled() { throw .function("The query was stopped.") }
      let given = QueryArguments(name: name, values: values)
      // What it works with goes when it is done, and fills memory until then.
      try memory.hold(given.roomByteCount)
      defer { memory.release(given.roomByteCount) }
      return try function(self, given)
    }
  }
}
