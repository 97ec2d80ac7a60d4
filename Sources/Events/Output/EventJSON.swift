/// Writes events as `cairn log --json` shows them (one object, one line, keys in a fixed order).
package enum EventJSON {
  /// Appends an event as one line of JSON without the line's end.
  ///
  /// Times are RFC 3339; `schema` is always there, so that the line still means the same to a
  /// program whose current shape is a newer one. Attributes and unknown keys come in canonical
  /// order (shorter keys first, then by bytes). `layout` is that of the payload, where it was read
  /// already; an event that is not in a log has no `sequence` and no `leafHash`. `extendedID` is
  /// ``Event/extended``, as another log knows it.
  /// - Throws: `.corrupt` when a text is not UTF-8; `output` then ends anywhere.
  package static func append(
    _ event: EncodedEvent, _ layout: EventLayout? = nil, sequence: UInt64? = nil,
    leafHash: Hash32? = nil, extendedID: EventID? = nil, to output: inout [UInt8]
  ) throws(CairnError) {
    let payload = event.payload
    let layout = if let layout { layout } else { try EventLayout(payload) }
    output.append(UInt8(ascii: "{"))
    if let sequence {
      output.append("\"sequence\":")
      JSONText.append(sequence, to: &output)
      output.append(UInt8(ascii: ","))
    }
    output.append("\"kind\":\"")
    output.append(event.kind.name)
    output.append(UInt8(ascii: "\""))
    try appendWhat(layout, payload, to: &output)
    append("time", layout.time ?? event.recorded, to: &output)
    append("recorded", event.recorded, to: &output)
    append("id", event.id, to: &output)
    try appendContext(layout, payload, to: &output)
    try appendBehaviour(layout, payload, to: &output)
    appendKey("schema", to: &output)
    JSONText.append(event.schema, to: &output)
    if let extras = layout.extras { try PayloadJSON.appendExtras(payload, extras, to: &output) }
    append("ofId", extendedID, to: &output)
    if let leafHash {
      appendKey("hash", to: &output)
      JSONText.appendBase64(leafHash.bytes.span, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Whether a key of a line is one of an event's own, and no attribute.
  package static func hasKey(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return EventField.named(bytes.span, bytes.indices) != nil
  }

  private static func appendWhat(
    _ layout: EventLayout, _ payload: [UInt8], to output: inout [UInt8]
  ) throws(CairnError) {
    try append("item", layout.item, payload, to: &output)
    switch layout.domain {
    case .absent: break
    case .cleared: append("domain", literal: "null", to: &output)
    case .value(let range): try append("domain", range, payload, to: &output)
    }
    if layout.all { append("all", literal: "true", to: &output) }
  }

  private static func appendContext(
    _ layout: EventLayout, _ payload: [UInt8], to output: inout [UInt8]
  ) throws(CairnError) {
    try append("actor", layout.actor, payload, to: &output)
    try append("source", layout.source, payload, to: &output)
    try append("session", layout.session, payload, to: &output)
    if let attributes = layout.attributes {
      appendKey("attributes", to: &output)
      try PayloadJSON.appendAttributes(payload, attributes, to: &output)
    }
    switch layout.expires {
    case .absent: break
    case .cleared: append("expires", literal: "null", to: &output)
    case .value(let time): append("expires", time, to: &output)
    }
  }

  private static func appendBehaviour(
    _ layout: EventLayout, _ payload: [UInt8], to output: inout [UInt8]
  ) throws(CairnError) {
    try append("query", layout.query, payload, to: &output)
    if let position = layout.position {
      appendKey("position", to: &output)
      JSONText.append(position, to: &output)
    }
    if let shown = layout.shown {
      appendKey("shown", to: &output)
      try PayloadJSON.appendElements(payload, shown, to: &output)
    }
    append("dwell", layout.dwell, to: &output)
    append("latency", layout.latency, to: &output)
    if let deliberate = layout.deliberate {
      append("deliberate", literal: deliberate ? "true" : "false", to: &output)
    }
  }

  private static func appendKey(_ key: StaticString, to output: inout [UInt8]) {
    output.append(",\"")
    output.append(key)
    output.append("\":")
  }

  private static func append(_ key: StaticString, literal: StaticString, to output: inout [UInt8]) {
    appendKey(key, to: &output)
    output.append(literal)
  }

  private static func append(
    _ key: StaticString, _ range: Range<Int>?, _ payload: [UInt8], to output: inout [UInt8]
  ) throws(CairnError) {
    guard let range else { return }
    appendKey(key, to: &output)
    try PayloadJSON.appendText(payload, range, to: &output)
  }

  private static func append(_ key: StaticString, _ time: Timestamp?, to output: inout [UInt8]) {
    guard let time else { return }
    appendKey(key, to: &output)
    output.append(UInt8(ascii: "\""))
    time.appendRFC3339(to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private static func append(_ key: StaticString, _ id: EventID?, to output: inout [UInt8]) {
    guard let id else { return }
    appendKey(key, to: &output)
    output.append(UInt8(ascii: "\""))
    id.appendUUID(to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private static func append(_ key: StaticString, _ value: Double?, to output: inout [UInt8]) {
    guard let value else { return }
    appendKey(key, to: &output)
    JSONText.appendPlain(value, to: &output)
  }
}

extension Event {
  /// The event as one line of JSON, as ``init(json:)`` takes it back.
  /// - Complexity: O(bytes).
  /// - Throws: `badEvent`, for what is no event.
  public var json: String {
    get throws(CairnError) {
      var line: [UInt8] = []
      try appendJSON(to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }

  fileprivate func appendJSON(
    sequence: UInt64? = nil, leafHash: Hash32? = nil, to output: inout [UInt8]
  ) throws(CairnError) {
    try EventJSON.append(
      try encoded(byEngine: true), sequence: sequence, leafHash: leafHash, to: &output)
  }
}

extension RecordedEvent {
  /// Appends the event as one line of JSON without the line's end.
  /// - Throws: as ``Event/encoded(byEngine:)``, for an event that was not read from a log.
  package func appendJSON(to output: inout [UInt8]) throws(CairnError) {
    try event.appendJSON(sequence: sequence, leafHash: leafHash, to: &output)
  }

  /// The event as one line of JSON, as `Event(json:)` takes it back.
  /// - Throws: `badEvent`, for an event that was not read from a log and is none.
  public var json: String {
    get throws(CairnError) {
      var line: [UInt8] = []
      try appendJSON(to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }
}
