/// The arguments of one call, checked as aw-core checks them.
struct QueryArguments {
  let name: String
  let values: [QueryValue]

  /// What a function may need beside what it is given and what it gives: lists that it makes of
  /// these, two at a time.
  var roomByteCount: Int {
    var count = 0
    for case .list(let list) in values { count += list.values.count }
    return 2 * count * MemoryLayout<QueryValue>.stride
  }

  private func value(_ index: Int) throws(QueryFailure) -> QueryValue {
    guard index < values.count else { throw invalid }
    return values[index]
  }

  /// Refuses a call with fewer or more arguments; asked after their types, as aw-core does.
  func expect(_ count: ClosedRange<Int>) throws(QueryFailure) {
    guard count.contains(values.count) else { throw invalid }
  }

  func expect(_ count: Int) throws(QueryFailure) { try expect(count...count) }

  /// What aw-core says when Python finds a value of the wrong type within a function.
  var invalid: QueryFailure {
    .interpret("Tried to call function \(name) with invalid amount of arguments")
  }

  func text(_ index: Int) throws(QueryFailure) -> String {
    guard case .text(let text) = try value(index) else { throw wrongType(index, "text") }
    return text
  }

  func integer(_ index: Int) throws(QueryFailure) -> Int {
    switch try value(index) {
    case .integer(let value): return value
    case .boolean(let value): return value ? 1 : 0
    default: throw wrongType(index, "a whole number")
    }
  }

  func list(_ index: Int) throws(QueryFailure) -> [QueryValue] {
    guard case .list(let list) = try value(index) else { throw wrongType(index, "a list") }
    return list.values
  }

  func events(_ index: Int) throws(QueryFailure) -> [QueryEvent] {
    let values = try list(index)
    var events: [QueryEvent] = []
    events.reserveCapacity(values.count)
    for value in values {
      guard case .event(let event) = value else { throw wrongType(index, "a list of events") }
      events.append(event)
    }
    return events
  }

  /// A list of names of members.
  ///
  /// aw-core looks for any value; only texts are ever found.
  func keys(_ index: Int) throws(QueryFailure) -> [String] {
    var keys: [String] = []
    for value in try list(index) {
      if case .text(let key) = value { keys.append(key) }
    }
    return keys
  }

  private func wrongType(_ index: Int, _ wanted: String) -> QueryFailure {
    .function("Argument \(index + 1) of \(name) is of an invalid type. Expected \(wanted).")
  }
}
