// One method for each sort of value. All leave the value in the buffer and its place in the draft,
// or neither; `null` is the same as leaving a key out, except where it has a
// meaning of its own.

extension EventLineParser {
  mutating func kind(_ line: Span<UInt8>) throws(CairnError) {
    let place = json.position
    let kind = try withText(line, "`kind` must be a string") { EventKind(named: $0) }
    guard let kind else {
      throw CairnError(.badEvent, "unknown `kind`; give one of \(EventDraft.kinds)", at: place)
    }
    draft.kind = kind
  }

  /// Reads an item or a domain.
  mutating func name(_ field: PayloadField, _ line: Span<UInt8>) throws(CairnError) {
    let place = json.position
    guard try !null(line) else {
      draft.clear(field)
      guard field == .domain else { return }
      json.out.append(CBORByte.null)
      draft.set(.domain, json.out.count - 1..<json.out.count)
      return
    }
    let text = try string(
      line, field == .item ? "`item` must be a string" : "`domain` must be a string or null")
    if let fault = nameFault(field, from: text.content) {
      throw CairnError(fault.code, fault.message, at: place)
    }
    draft.set(field, text.item..<json.out.count)
  }

  private func nameFault(_ field: PayloadField, from content: Int) -> CairnError? {
    let bytes = json.out.span.extracting(content...)
    return field == .item ? EventDraft.itemFault(bytes) : EventDraft.domainFault(bytes)
  }

  mutating func text(_ field: PayloadField, _ line: Span<UInt8>) throws(CairnError) {
    draft.clear(field)
    guard try !null(line) else { return }
    let text = try string(line, "`actor`, `source`, `session` and `query` must be strings")
    draft.set(field, text.item..<json.out.count)
  }

  mutating func identity(_ line: Span<UInt8>) throws(CairnError) {
    let place = json.position
    draft.id = nil
    guard try !null(line) else { return }
    let id = try withText(line, "`id` must be a UUID in a string") { EventID(uuid: $0) }
    guard let id else {
      throw CairnError(.badEvent, "`id` must be a UUID: 8-4-4-4-12 hexadecimal digits", at: place)
    }
    draft.id = id
  }

  mutating func attributes(_ line: Span<UInt8>) throws(CairnError) {
    draft.clear(.attributes)
    guard try !null(line) else { return }
    guard json.next(line) == UInt8(ascii: "{") else {
      throw invalid("`attributes` must be an object")
    }
    let start = json.out.count
    try json.object(line, ofAttributes: true)
    // An empty map says as much as none, and is stored as none.
    if json.out[start] != 0xa0 { draft.set(.attributes, start..<json.out.count) }
  }

  mutating func position(_ line: Span<UInt8>) throws(CairnError) {
    draft.clear(.position)
    guard try !null(line) else { return }
    let message: StaticString = "`position` must be a whole number from 1"
    let place = json.position
    guard let position = try number(line, message).whole(line), position >= 1 else {
      throw invalid(message, at: place)
    }
    let start = json.out.count
    json.out.appendInteger(position)
    draft.set(.position, start..<json.out.count)
  }

  mutating func shown(_ line: Span<UInt8>) throws(CairnError) {
    draft.clear(.shown)
    guard try !null(line) else { return }
    let message: StaticString = "`shown` must be an array of strings"
    guard json.next(line) == UInt8(ascii: "[") else { throw invalid(message) }
    try json.enter()
    let head = json.out.openHead()
    var count = 0
    while try json.more(line, isFirst: count == 0, close: UInt8(ascii: "]")) {
      let place = json.position
      let text = try string(line, message)
      guard text.content < json.out.count else { throw invalid(EventDraft.emptyShown, at: place) }
      count += 1
    }
    json.leave()
    json.out.closeHead(head, .array, count)
    if count > 0 { draft.set(.shown, head..<json.out.count) }
  }

  mutating func seconds(_ field: PayloadField, _ line: Span<UInt8>) throws(CairnError) {
    draft.clear(field)
    guard try !null(line) else { return }
    let message: StaticString = "`dwell` and `latency` must be seconds, 0 or more"
    let place = json.position
    let number = try number(line, message)
    let value = try json.finite(number, line)
    guard value >= 0 else { throw invalid(message, at: place) }
    let start = json.out.count
    // Adding zero turns minus zero into zero.
    json.out.appendDouble(value + 0)
    draft.set(field, start..<json.out.count)
  }

  mutating func flag(_ field: PayloadField, _ line: Span<UInt8>) throws(CairnError) {
    draft.clear(field)
    guard try !null(line) else { return }
    let byte = json.next(line)
    guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else {
      throw invalid("`deliberate` and `all` must be true or false")
    }
    let start = json.out.count
    try json.literal(line)
    // `all` that is false says as much as none, and is stored as none.
    if field == .all, byte == UInt8(ascii: "f") { return }
    draft.set(field, start..<start + 1)
  }

  mutating func schema(_ line: Span<UInt8>) throws(CairnError) {
    draft.schema = EventSchema.current
    guard try !null(line) else { return }
    let message: StaticString = "`schema` must be a whole number from 1"
    let place = json.position
    guard let schema = try number(line, message).integer, schema >= 1 else {
      throw invalid(message, at: place)
    }
    guard schema <= EventSchema.current else {
      throw CairnError(
        .badEvent,
        "`schema` is newer than \(EventSchema.current), the newest this program knows; update it",
        at: place)
    }
    draft.schema = UInt16(schema)
  }
}

// MARK: Parts

extension EventLineParser {
  func invalid(_ message: StaticString, at place: Int? = nil) -> CairnError {
    CairnError(.badEvent, message.description, at: place ?? json.position)
  }

  /// Reads `null` if it stands here.
  mutating func null(_ line: Span<UInt8>) throws(CairnError) -> Bool {
    guard json.next(line) == UInt8(ascii: "n") else { return false }
    try json.word(line, "null")
    return true
  }

  /// Reads a string; gives where its item and its bytes begin in the buffer it ends.
  mutating func string(_ line: Span<UInt8>, _ message: StaticString) throws(CairnError) -> (
    item: Int, content: Int
  ) {
    guard json.next(line) == UInt8(ascii: "\"") else { throw wrongType(line, message) }
    let item = json.out.count
    try json.string(line)
    return (item, item + json.out.headByteCount(at: item))
  }

  /// Reads a string that is not kept, and makes something of its bytes.
  mutating func withText<Result>(
    _ line: Span<UInt8>, _ message: StaticString, _ body: (Span<UInt8>) -> Result
  ) throws(CairnError) -> Result {
    if json.next(line) == UInt8(ascii: "\""), let range = json.plainString(line) {
      return body(line.extracting(range))
    }
    let text = try string(line, message)
    let result = body(json.out.span.extracting(text.content...))
    json.discard(from: text.item)
    return result
  }

  mutating func number(_ line: Span<UInt8>, _ message: StaticString) throws(CairnError)
    -> JSONNumber
  {
    switch json.next(line) {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try json.number(line)
    default: throw wrongType(line, message)
    }
  }

  /// The wrong type, or no JSON at all.
  private func wrongType(_ line: Span<UInt8>, _ message: StaticString) -> CairnError {
    guard json.position < line.count else { return json.unexpected(line) }
    switch line[json.position] {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"):
      return invalid(message)
    default: return json.unexpected(line)
    }
  }
}
