package import Cairn

/// An event in the envelope of CloudEvents 1.0.2 (https://github.com/cloudevents/spec).
package enum CloudEvent {
  /// Appends the line of an event, without making values of it.
  package static func append(_ record: LogRecord, to line: inout [UInt8]) throws(CairnError) {
    line += "{\"specversion\":\"1.0\",\"id\":\"".utf8
    record.id.appendUUID(to: &line)
    line += "\",\"source\":\"cairn:".utf8
    let source = record.source.map { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }
    line += (source ?? "store").utf8
    line += "\",\"type\":\"cairn.\(record.kind.name)\"".utf8
    if let item = record.item {
      line += ",\"subject\":".utf8
      JSONText.append(String(decoding: item, as: UTF8.self), to: &line)
    }
    line += ",\"time\":\"".utf8
    record.time.appendRFC3339(to: &line)
    // The sequence extension holds text that sorts.
    line += "\",\"datacontenttype\":\"application/json\",\"sequence\":\"".utf8
    let digits = String(record.sequence).utf8
    line += repeatElement(UInt8(ascii: "0"), count: max(0, 20 - digits.count))
    line += digits
    line += "\",\"data\":".utf8
    try record.appendJSON(to: &line)
    line.append(UInt8(ascii: "}"))
  }

  /// The event in the envelope of a CloudEvent, as `append` takes it; nil for any other line.
  ///
  /// The data are the event. Where they lack `id`, `time`, `item` or `source`, the envelope's `id`,
  /// `time`, `subject` and `source` stand in; its `type` is `cairn.KIND`.
  /// - Throws: `badEvent` for an envelope that holds no event, or contradicts it.
  package static func event(in line: ArraySlice<UInt8>) throws(CairnError) -> ArraySlice<UInt8>? {
    // What is no JSON is refused as an event, with its place.
    guard line.holds(versionKey), let envelope = JSONObject(json: line),
      let version = envelope["specversion"], envelope["kind"] == nil
    else { return nil }
    guard case .string(let number) = version, number.hasPrefix("1.") else {
      throw CairnError(.badEvent, "`specversion` is not 1.0; other CloudEvents are not read")
    }
    var event = JSONObject()
    switch envelope["data"] {
    case .object(let data): event = data
    case nil where envelope["data_base64"] == nil: break
    default:
      throw CairnError(.badEvent, "`data` is no JSON object: a CloudEvent's data are its event")
    }
    guard let type = envelope["type"]?.string, type.hasPrefix(typePrefix) else {
      throw CairnError(.badEvent, "`type` is not cairn.KIND, such as cairn.view")
    }
    let kind = JSONValue.string(String(type.dropFirst(typePrefix.count)))
    guard event["kind"] == nil || event["kind"] == kind else {
      throw CairnError(.badEvent, "`type` and the data's `kind` contradict each other")
    }
    event["kind"] = kind
    // A deletion of more than one item names none.
    let namesMany = kind == .string("delete") && (event["domain"] != nil || event["all"] != nil)
    for (key, name) in [("id", "id"), ("time", "time"), ("subject", "item"), ("source", "source")]
    where event[name] == nil {
      if name == "item" && namesMany { continue }
      // A source of ours stands for none.
      if let text = envelope[key]?.string, name != "source" || !text.hasPrefix("cairn:") {
        event[name] = .string(text)
      }
    }
    return JSONValue.object(event).text[...]
  }

  private static let typePrefix = "cairn."

  /// The end of a key that each envelope has: few lines hold it, and few letters begin so.
  private static let versionKey = Array("version\"".utf8)
}
