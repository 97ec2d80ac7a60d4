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
  private static let places = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
  /// Columns that hold whole numbers.
  private static let numbers: Set = ["sequence", "position", "visits"]
  /// Columns that hold times; the last one is what others call the first.
  private static let times: Set = ["time", "recorded", "expires", "timestamp"]
  /// Columns that hold seconds, a truth value or a list, as JSON.
  private static let values: Set = ["dwell", "latency", "deliberate", "shown"]
  private static let rest = "more"
  /// The column of all attributes as JSON, in tables of others.
  private static let all = "attributes"

  package static let header = (columns + [rest]).joined(separator: ",") + "\r"

  /// Whether a header is that of events; names in lower case.
  package static func isHeader(_ names: Set<String>) -> Bool {
    names.contains("kind") && (names.contains("item") || names.contains(rest))
  }

  /// Appends the row of an event, without the line feed after it.
  package static func append(
    _ recorded: RecordedEvent, to bytes: inout [UInt8]
  ) throws(CairnError) {
    var json: [UInt8] = []
    try recorded.appendJSON(to: &json)
    var cells = [String](repeating: "", count: columns.count)
    var others = JSONObject()
    for member in JSONObject(json: json) ?? [:] where member.key != "hash" {
      let place = member.key == "title" ? nil : places[member.key]
      switch (member.value, place) {
      case (.string(let text), let place?) where !text.isEmpty: cells[place] = text
      case (.number(let text), let place?) where numbers.contains(member.key): cells[place] = text
      case (.object(var attributes), _) where member.key == "attributes":
        if let title = attributes["title"]?.string, !title.isEmpty, let place = places["title"] {
          cells[place] = title
          attributes["title"] = nil
        }
        if !attributes.isEmpty { others[member.key] = .object(attributes) }
      default: others[member.key] = member.value
      }
    }
    for cell in cells {
      append(cell: cell.utf8, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    if !others.isEmpty { append(cell: JSONValue.object(others).text, to: &bytes) }
    bytes.append(UInt8(ascii: "\r"))
  }

  /// What a column of a header means: names of our own whatever their letter case, and an attribute
  /// as it is written.
  static func meaning(of name: String) -> String {
    let known = name.lowercased()
    if times.contains(known) { return known == "timestamp" ? "time" : known }
    return isAttribute(known) ? name : known
  }

  /// Whether what a column means is an attribute that a schema may declare.
  static func isAttribute(_ meaning: String) -> Bool {
    !columns.contains(meaning) && !numbers.contains(meaning) && !times.contains(meaning)
      && !values.contains(meaning) && ![rest, all].contains(meaning)
  }

  /// The event in a row, as `append` takes it.
  ///
  /// A column that is no event's own is an attribute of the item.
  /// - Returns: A line of JSON.
  /// - Throws: What is wrong with the row.
  static func event(
    _ cells: [(key: String, text: String)], _ reading: CellReading
  ) throws(MalformedLine) -> [UInt8] {
    var event = JSONObject()
    var attributes: [(String, JSONValue)] = []
    for (key, text) in cells {
      switch key {
      case rest:
        for member in try object(text, key) { event[member.key] = member.value }
      case all: attributes += try object(text, key).map { ($0.key, $0.value) }
      case _ where numbers.contains(key):
        // Programs that know no empty whole number write them all with a fraction.
        guard let number = Int64(text.hasSuffix(".0") ? text.dropLast(2) : text[...]) else {
          throw MalformedLine(reason: "the column `\(key)` holds no whole number")
        }
        event[key] = .number(String(number))
      case _ where times.contains(key): event[key] = try reading.time(text, of: key)
      case _ where values.contains(key):
        // What is no JSON is refused as what the event may not hold.
        event[key] = (try? JSONValue(parsing: Array(text.utf8).span)) ?? .string(text)
      case "title": attributes.append((key, .string(text)))
      case _ where isAttribute(key): attributes.append((key, reading.value(text, of: key)))
      default: event[key] = .string(text)
      }
    }
    if !attributes.isEmpty {
      var members = event["attributes"]?.object ?? [:]
      for (name, value) in attributes { members[name] = value }
      event["attributes"] = .object(members)
    }
    return JSONValue.object(event).text
  }

  private static func object(_ text: String, _ column: String) throws(MalformedLine) -> JSONObject {
    guard let object = JSONObject(json: text.utf8) else {
      throw MalformedLine(reason: "the column `\(column)` holds no JSON object")
    }
    return object
  }

  /// By bytes: a quote with an accent on it is another character, and a quote all the same.
  private static func append(cell: some Collection<UInt8>, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard cell.contains(where: { $0 == quote || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
      bytes += cell
      return
    }
    bytes.append(quote)
    for byte in cell {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
