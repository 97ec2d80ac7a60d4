/// Turns NDJSON lines into encoded events, keeping its buffers from line to line.
///
/// One pass over the bytes: values are encoded as they are read and put in order at the end. A
/// refused line leaves nothing behind.
package struct EventLineParser: ~Copyable {
  var json = JSONTranscoder()
  var draft = EventDraft()
  /// Fields that the line has named so far, a bit each.
  private var seen: UInt32 = 0

  /// A parser with empty buffers.
  /// - Parameters:
  ///   - refusesDuplicateKeys: Whether a line in which a key comes twice is refused; else the last
  ///     of them counts (RFC 8259 §4 leaves the choice).
  ///   - depthMax: How many arrays and objects may stand inside one another.
  package init(refusesDuplicateKeys: Bool = false, depthMax: Int = EventLimits.depth) {
    json.refusesDuplicateKeys = refusesDuplicateKeys
    json.depthMax = depthMax
  }

  /// The checked, encoded event of a line, which may end in white space or a line end.
  /// - Complexity: O(*n*), plus sorting the keys of each object that is not in order.
  /// - Throws: `.badEvent` with the byte offset in the line; `.badEvent`.
  package mutating func parse(_ line: Span<UInt8>) throws(CairnError) -> EncodedEvent {
    guard line.count <= EventLimits.lineByteCount else {
      throw CairnError(
        .badEvent, "the line is longer than \(EventLimits.lineByteCount) bytes; split the event")
    }
    json.reset()
    draft.reset()
    seen = 0
    guard json.next(line) == UInt8(ascii: "{") else { throw json.notAnObject(line) }
    try json.enter()
    var isFirst = true
    while try json.more(line, isFirst: isFirst, close: UInt8(ascii: "}")) {
      isFirst = false
      try member(line)
    }
    json.leave()
    _ = json.next(line)
    guard json.position == line.count else {
      throw CairnError(
        .badEvent, "something follows the event; one line, one object", at: json.position)
    }
    // A schema file in which a key comes twice is refused; the same one as an event is, too.
    let isSchema = draft.kind == .schema
    guard !json.refusesDuplicateKeys && !isSchema || draft.hasUniqueExtras(json.out) else {
      throw JSONTranscoder.duplicateKey(at: 0)
    }
    if isSchema, let place = json.duplicateKeyPlace {
      throw JSONTranscoder.duplicateKey(at: place)
    }
    return try draft.finish(json.out, byEngine: false)
  }

  private mutating func member(_ line: Span<UInt8>) throws(CairnError) {
    if let key = try json.plainKey(line) {
      guard let known = EventField.named(line, key) else {
        let start = json.out.count
        json.out.appendHead(.text, key.count)
        json.out.append(line, key)
        return try extra(line, key: start)
      }
      return try value(of: known, line)
    }
    let start = try json.key(line)
    let name = start + json.out.headByteCount(at: start)
    guard let known = EventField.named(json.out.span, name..<json.out.count) else {
      return try extra(line, key: start)
    }
    json.discard(from: start)
    try value(of: known, line)
  }

  private mutating func extra(_ line: Span<UInt8>, key: Int) throws(CairnError) {
    let value = json.out.count
    try json.anyValue(line)
    draft.addExtra(MapMember(key: key, value: value, end: json.out.count))
  }

  private mutating func value(of field: EventField, _ line: Span<UInt8>) throws(CairnError) {
    let isNew = seen & field.bit == 0
    seen |= field.bit
    guard isNew || !json.refusesDuplicateKeys else {
      throw JSONTranscoder.duplicateKey(at: json.position)
    }
    _ = json.next(line)
    switch (field.value, field.stored) {
    case (.kind, _): try kind(line)
    case (.name, let stored?): try name(stored, line)
    case (.moment, let stored): try moment(stored, line)
    case (.identity, _): try identity(line)
    case (.text, let stored?): try text(stored, line)
    case (.attributes, _): try attributes(line)
    case (.position, _): try position(line)
    case (.texts, _): try shown(line)
    case (.seconds, let stored?): try seconds(stored, line)
    case (.flag, let stored?): try flag(stored, line)
    case (.schema, _): try schema(line)
    default:
      let start = json.out.count
      try json.anyValue(line)
      json.discard(from: start)
    }
  }
}
