package import Cairn

/// Events as comma-separated values (RFC 4180), and back.
///
/// What has no column of its own stands in the last one, as JSON, so that nothing is lost. Values
/// are written as they are: a spreadsheet may take one that begins with `=` for a formula.
package enum CSV {
  private static let columns = [
    "sequence", "kind", "item", "domain", "time", "recorded", "id", "actor", "source", "session",
    "query", "position", "title",
  ]
  /// Columns that hold numbers.
  private static let numbers: Set = ["sequence", "position"]
  private static let rest = "more"

  package static let header = (columns + [rest]).joined(separator: ",") + "\r"

  /// Whether a header is that of events.
  package static func isHeader(_ names: Set<String>) -> Bool {
    names.contains("kind") && (names.contains("item") || names.contains(rest))
  }

  package static func row(_ recorded: RecordedEvent) throws(CairnError) -> String {
    var json: [UInt8] = []
    try recorded.appendJSON(to: &json)
    var cells: [String: String] = [:]
    var others: [(String, JSONValue)] = []
    // What the engine wrote is JSON.
    if case .object(let members)? = try? JSONValue(parsing: json.span) {
      for member in members where member.key != "hash" {
        switch member.value {
        case .string(let text) where columns.contains(member.key) && !text.isEmpty:
          cells[member.key] = text
        case .number(let text) where numbers.contains(member.key): cells[member.key] = text
        case .object(var attributes) where member.key == "attributes":
          if case .string(let title)? = attributes["title"], !title.isEmpty {
            cells["title"] = title
            attributes["title"] = nil
          }
          if !attributes.isEmpty { others.append((member.key, .object(attributes))) }
        default: others.append((member.key, member.value))
        }
      }
    }
    if !others.isEmpty {
      var bytes: [UInt8] = []
      append(.object(JSONObject(others)), to: &bytes)
      cells[rest] = String(decoding: bytes, as: UTF8.self)
    }
    return (columns + [rest]).map { quoted(cells[$0] ?? "") }.joined(separator: ",") + "\r"
  }

  /// The event in a row, as `append` takes it.
  ///
  /// - Throws: What is wrong with its last column.
  package static func event(_ cell: (String) -> String?) throws(Malformed) -> [UInt8] {
    var event = JSONObject()
    if let more = cell(rest) {
      guard case .object(let object)? = try? JSONValue(parsing: Array(more.utf8).span) else {
        throw Malformed(reason: "the column `more` holds no JSON object")
      }
      event = object
    }
    for column in columns {
      guard let text = cell(column) else { continue }
      if column == "title" {
        var attributes = JSONObject()
        if case .object(let given)? = event["attributes"] { attributes = given }
        attributes["title"] = .string(text)
        event["attributes"] = .object(attributes)
      } else {
        event[column] = numbers.contains(column) ? .number(text) : .string(text)
      }
    }
    for number in numbers {
      if case .number(let text)? = event[number], Int64(text) == nil {
        throw Malformed(reason: "the column `\(number)` holds no whole number")
      }
    }
    var bytes: [UInt8] = []
    append(.object(event), to: &bytes)
    return bytes
  }

  /// Why a row is no event.
  package struct Malformed: Error { package let reason: String }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
