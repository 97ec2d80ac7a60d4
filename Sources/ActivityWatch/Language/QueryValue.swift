import Events

/// What an expression of a query stands for.
///
/// Events are shared as Python shares objects: what one function changes, every variable shows.
package enum QueryValue {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number of the history, as it was written.
  case number(String)
  case text(String)
  /// Microseconds.
  case duration(Int64)
  case event(QueryEvent)
  case list(QueryList)
  case object(QueryMembers)

  init(_ value: JSONValue, _ memory: QueryMemory) throws(QueryFailure) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .boolean(value)
    case .number(let text): self = .number(text)
    case .string(let text): self = .text(text)
    case .array(let elements):
      let values = try elements.map { (element) throws(QueryFailure) in
        try QueryValue(element, memory)
      }
      self = .list(try QueryList(values, memory))
    case .object(let members):
      self = .object(try QueryMembers(of: members, memory))
    }
  }
}

/// Values in order.
package final class QueryList {
  let values: [QueryValue]
  let extent: QueryExtent
  private let memory: QueryMemory

  private static let byteCount = QueryMemory.block(64)

  init(_ values: [QueryValue], _ memory: QueryMemory) throws(QueryFailure) {
    extent = try QueryExtent(around: values)
    try memory.hold(Self.byteCount + QueryMemory.array(of: values.count, QueryValue.self))
    self.values = values
    self.memory = memory
  }

  deinit {
    memory.release(Self.byteCount + QueryMemory.array(of: values.count, QueryValue.self))
  }
}

/// Values by name.
package final class QueryMembers {
  let values: KeyOrdered<QueryValue>
  let extent: QueryExtent
  private let memory: QueryMemory
  private let bytes: Int

  /// What one takes without members.
  static let byteCount = QueryMemory.block(64)

  init(_ values: KeyOrdered<QueryValue>, _ memory: QueryMemory) throws(QueryFailure) {
    extent = try QueryExtent(around: values.lazy.map(\.value))
    var bytes = Self.byteCount
    bytes += QueryMemory.array(of: values.count, KeyOrdered<QueryValue>.Member.self)
    for member in values {
      bytes += QueryMemory.text(member.key)
      switch member.value {
      case .text(let text), .number(let text): bytes += QueryMemory.text(text)
      default: break
      }
    }
    try memory.hold(bytes)
    self.values = values
    self.memory = memory
    self.bytes = bytes
  }

  convenience init(of members: JSONObject, _ memory: QueryMemory) throws(QueryFailure) {
    let values = try members.map { (member) throws(QueryFailure) in
      (member.key, try QueryValue(member.value, memory))
    }
    try self.init(KeyOrdered(values), memory)
  }

  deinit { memory.release(bytes) }

  subscript(key: String) -> QueryValue? { values[key] }
}

package final class QueryEvent {
  let id: Int?
  /// Microseconds since 1970; every change is cut to milliseconds, as aw-core's setter does.
  var start: Int64 { didSet { start = ActivityTime.milliseconds(start) } }
  /// Microseconds.
  var duration: Int64
  var data: QueryMembers
  private let memory: QueryMemory

  /// What one takes without its data.
  static let byteCount = QueryMemory.block(64)

  init(id: Int?, start: Int64, duration: Int64, data: QueryMembers, _ memory: QueryMemory)
    throws(QueryFailure)
  {
    try memory.hold(Self.byteCount)
    self.memory = memory
    self.id = id
    self.start = ActivityTime.milliseconds(start)
    self.duration = duration
    self.data = data
  }

  deinit { memory.release(Self.byteCount) }

  var end: Int64 { start + duration }

  /// Another event of the same content.
  func copy(_ memory: QueryMemory) throws(QueryFailure) -> QueryEvent {
    try QueryEvent(id: id, start: start, duration: duration, data: data, memory)
  }

  /// Other events of the same content.
  ///
  /// An event that stands twice in the list still is one event there, as Python's `deepcopy` of a
  /// list keeps it.
  static func copies(of events: [QueryEvent], _ memory: QueryMemory) throws(QueryFailure)
    -> [QueryEvent]
  {
    var known: [ObjectIdentifier: QueryEvent] = [:]
    var copies: [QueryEvent] = []
    for event in events {
      if let copy = known[ObjectIdentifier(event)] {
        copies.append(copy)
        continue
      }
      let copy = try event.copy(memory)
      known[ObjectIdentifier(event)] = copy
      copies.append(copy)
    }
    return copies
  }

  func lengthen(by microseconds: Int64) throws(QueryFailure) {
    duration = try Self.sum(duration, microseconds)
  }

  /// Two durations in one, small enough that no end computed from it is beyond 64 bits.
  static func sum(_ first: Int64, _ second: Int64) throws(QueryFailure) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    guard !overflow, sum.magnitude <= UInt64(Int64.max / 4) else {
      throw .function("The durations add up to more than can be counted.")
    }
    return sum
  }

  func set(_ members: [(String, QueryValue)], _ memory: QueryMemory) throws(QueryFailure) {
    let values = data.values.map { ($0.key, $0.value) } + members
    data = try QueryMembers(KeyOrdered(unordered: values), memory)
  }
}
