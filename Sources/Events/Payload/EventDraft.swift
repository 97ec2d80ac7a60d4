/// The fields of an event on their way into a payload.
///
/// Values lie encoded in a buffer, in the order in which they came; the draft knows where. It holds
/// the rules for what an event of a kind needs, for lines and for ``Event`` alike.
struct EventDraft {
  var kind: EventKind?
  var id: EventID?
  var recorded: Timestamp?
  var time: Timestamp?
  var schema = EventSchema.current
  private var present: UInt32 = 0
  private var places = InlineArray<17, Range<Int>>(repeating: 0..<0)
  private var extras: [MapMember] = []

  mutating func reset() {
    kind = nil
    id = nil
    recorded = nil
    time = nil
    schema = EventSchema.current
    present = 0
    extras.removeAll(keepingCapacity: true)
  }

  /// Notes where a field's value is; a later one replaces it.
  mutating func set(_ field: PayloadField, _ range: Range<Int>) {
    present |= 1 << UInt32(field.rawValue)
    places[Int(field.rawValue)] = range
  }

  mutating func clear(_ field: PayloadField) { present &= ~(1 << UInt32(field.rawValue)) }

  /// Notes where an unknown key and its value are.
  mutating func addExtra(_ member: MapMember) { extras.append(member) }

  /// Whether no two unknown keys are the same.
  func hasUniqueExtras(_ buffer: [UInt8]) -> Bool {
    var members = extras
    return members.makeCanonical(from: 0, buffer)
  }

  private func has(_ field: PayloadField) -> Bool { present & 1 << UInt32(field.rawValue) != 0 }

  /// Checks what the kind needs and puts the payload together.
  func finish(_ buffer: [UInt8], byEngine: Bool) throws(CairnError) -> EncodedEvent {
    guard let kind else {
      throw CairnError(.badEvent, "`kind` is missing; give one of \(Self.kinds)")
    }
    try check(kind, buffer, byEngine: byEngine)
    return EncodedEvent(
      kind: kind, id: id, recorded: recorded, time: time, schema: schema, payload: payload(buffer))
  }

  static let kinds = "index, update, delete, view, select, impression, schema"

  private func check(_ kind: EventKind, _ buffer: [UInt8], byEngine: Bool) throws(CairnError) {
    switch kind {
    case .index, .update, .view, .select, .extend:
      guard has(.item) else { throw CairnError(.badEvent, "`item` is missing") }
    case .impression:
      guard has(.item) || has(.query) || has(.shown) else {
        throw CairnError(.badEvent, "an impression needs `shown`, `query` or `item`")
      }
    case .delete:
      let hasDomain = has(.domain) && buffer[places[2].lowerBound] != CBORByte.null
      guard has(.all) ? !has(.item) && !hasDomain : has(.item) || hasDomain else {
        throw CairnError(.badEvent, "delete takes `item`, or `domain`, or `all`:true alone")
      }
    case .purge:
      guard byEngine || isPurgeRecord(buffer) else {
        throw CairnError(
          .badEvent,
          "purge events are written by the purge command only; as input one takes `purge` alone")
      }
    case .schema: try checkSchema(buffer)
    }
    if has(.attributes), !EventField.attributes.belongs(to: kind) {
      throw CairnError(.badEvent, "`attributes` belong to index, update and view only")
    }
  }

  /// A schema belongs to no item; whether its definition is one the store tells.
  private func checkSchema(_ buffer: [UInt8]) throws(CairnError) {
    let aboutItems: [PayloadField] = [
      .item, .domain, .attributes, .expires, .query, .position, .shown, .all,
    ]
    guard !aboutItems.contains(where: { has($0) }) else {
      throw CairnError(.badEvent, "a schema belongs to no item and no domain")
    }
    let key = Array("definition".utf8)
    let isDefined = extras.contains { buffer[$0.key..<$0.value].dropFirst().elementsEqual(key) }
    guard isDefined else { throw CairnError(.badEvent, "`definition` is missing") }
  }

  /// Whether this is what a purge leaves in the log: counts and sequences, nothing that can be
  /// named.
  ///
  /// Such a record does nothing; a replay brings it along.
  private func isPurgeRecord(_ buffer: [UInt8]) -> Bool {
    let key = Array("purge".utf8)
    return present & ~(1 << UInt32(PayloadField.time.rawValue)) == 0 && !extras.isEmpty
      && extras.allSatisfy { buffer[$0.key..<$0.value].dropFirst().elementsEqual(key) }
  }

  private func payload(_ buffer: [UInt8]) -> [UInt8] {
    var members = extras
    members.makeCanonical(from: 0, buffer)
    var byteCount = 32
    var fieldCount = members.isEmpty ? 0 : 1
    for field in 1..<PayloadField.count where present & 1 << UInt32(field) != 0 {
      byteCount += 1 + places[field].count
      fieldCount += 1
    }
    for member in members { byteCount += member.end - member.key }
    var payload: [UInt8] = []
    payload.reserveCapacity(byteCount)
    payload.appendHead(.map, fieldCount)
    for field in 1..<PayloadField.count where present & 1 << UInt32(field) != 0 {
      payload.append(UInt8(field))
      payload.append(buffer, places[field])
    }
    if !members.isEmpty {
      payload.append(PayloadField.extras.rawValue)
      payload.appendHead(.map, members.count)
      for member in members { payload.append(buffer, member.key..<member.end) }
    }
    return payload
  }
}

// MARK: Rules for single values

extension EventDraft {
  /// What is said of an item on screen that has no name.
  static let emptyShown: StaticString = "an id in `shown` must not be empty"

  /// Why a text cannot name an item, or nil when it can.
  static func itemFault(_ text: Span<UInt8>) -> CairnError? {
    if text.isEmpty { return CairnError(.badEvent, "`item` must not be empty") }
    guard text.count > EventLimits.itemByteCount else { return nil }
    return CairnError(.badEvent, "`item` is longer than \(EventLimits.itemByteCount) bytes")
  }

  /// Why a text cannot name a domain, or nil when it can.
  static func domainFault(_ text: Span<UInt8>) -> CairnError? {
    if text.isEmpty { return CairnError(.badEvent, "`domain` must not be empty; leave it out") }
    guard text.count <= EventLimits.domainByteCount else {
      return CairnError(.badEvent, "`domain` is longer than \(EventLimits.domainByteCount) bytes")
    }
    let dot = UInt8(ascii: ".")
    var previous = dot
    for index in text.indices {
      if text[index] == dot, previous == dot { return emptyComponent }
      previous = text[index]
    }
    return previous == dot ? emptyComponent : nil
  }

  private static var emptyComponent: CairnError {
    CairnError(.badEvent, "a component of `domain` is empty; write a dot inside one as %2E")
  }
}

extension CairnError {
  /// Why a text cannot name a domain; nil when it can.
  /// - Complexity: O(bytes).
  package init?(domain name: String) {
    let bytes = Array(name.utf8)
    guard let fault = EventDraft.domainFault(bytes.span) else { return nil }
    self = fault
  }
}
