package import Cairn
package import Importers

/// The rows of a table of events, each as a line that `append` takes.
package struct CSVEvents: ~Copyable {
  private var rows: CSVRows
  private let columnCount: Int
  /// What the columns mean, but for those without a name, which count the rows in pandas' tables.
  private let columns: [(place: Int, meaning: String)]
  private let zone: TimeZone
  private let naming: TableNaming
  private var effective: [String: EffectiveSchema] = [:]

  /// By what texts become numbers, truth values and lists.
  package var schema = SchemaDefinition.none

  /// Takes rows for events.
  /// - Throws: `malformed` for a header that is not that of events, or names a column twice.
  package init(
    _ rows: consuming CSVRows, zone: TimeZone, naming: TableNaming = TableNaming()
  ) throws(CairnError) {
    columnCount = rows.header.count
    columns = try Self.meanings(rows.header, naming)
    self.rows = rows
    self.zone = zone
    self.naming = naming
  }

  private static func meanings(_ header: [String], _ naming: TableNaming) throws(CairnError)
    -> [(place: Int, meaning: String)]
  {
    guard naming.isOfEvents(header) else {
      throw CairnError(
        .malformed,
        "has no columns kind and item: these are no events; give each row a kind and an item")
    }
    let columns = naming.meanings(of: header).filter { !$0.meaning.isEmpty }
    var places: [String: Int] = [:]
    for (place, meaning) in columns {
      if let first = places.updateValue(place, forKey: meaning), first != place {
        throw CairnError(
          .malformed, "columns \(first + 1) and \(place + 1) mean the same; rename or remove one")
      }
    }
    return columns
  }

  /// The header as it stands in the file; empty unless bytes are kept.
  package var headerBytes: [UInt8] { rows.headerBytes }

  /// Whether a schema could declare one of the columns.
  package var needsSchema: Bool {
    (columns.map(\.meaning) + naming.values.map(\.key)).contains { CSV.isAttribute($0) }
  }

  /// The next row.
  /// - Throws: `malformed` for a quote that never ends.
  package mutating func next() throws(CairnError) -> CSVRows.Row? { try rows.next() }

  /// The event in a row.
  /// - Throws: What is wrong with the row.
  package mutating func event(of row: CSVRows.Row) throws(MalformedLine) -> [UInt8] {
    if let fault = row.fault { throw MalformedLine(reason: fault) }
    guard row.fields.count == columnCount else {
      throw MalformedLine(reason: "\(row.fields.count) columns where the header has \(columnCount)")
    }
    var cells = columns.map { ($0.meaning, row.fields[$0.place]) }.filter { !$1.isEmpty }
    for value in naming.values {
      let key = CSV.meaning(of: value.key)
      if !cells.contains(where: { $0.0 == key }) { cells.append((key, value.text)) }
    }
    // What somebody else's table tells without a time did not happen now.
    let isTimed = naming.keys.contains { CSV.meaning(of: $0.key) == "time" }
    guard !isTimed || cells.contains(where: { $0.0 == "time" }) else {
      throw MalformedLine(reason: "has no time: that cell is empty")
    }
    let domain = cells.first { $0.0 == "domain" }?.1 ?? ""
    let effective = effective[domain] ?? schema.effective(domain)
    self.effective[domain] = effective
    return try CSV.event(cells, CellReading(schema: effective, zone: zone))
  }
}

/// How the text of a cell becomes a value.
struct CellReading {
  let schema: EffectiveSchema
  let zone: TimeZone

  /// A time: Unix seconds, RFC 3339, or a day with or without a clock of the zone.
  /// - Throws: What the cell lacks to be one.
  func time(_ text: String, of column: String) throws(MalformedLine) -> JSONValue {
    if case .number(let digits)? = Self.json(text) {
      guard !isDate(digits) else {
        throw MalformedLine(
          reason: "`\(column)`: a date or Unix seconds? a date has hyphens: 2026-01-31")
      }
      return .number(digits)
    }
    if Timestamp(rfc3339: text) != nil { return .string(text) }
    guard let time = zone.rfc3339(of: text) else {
      throw MalformedLine(
        reason: "`\(column)` must be a day such as 2026-01-31, with or without a clock, an "
          + "RFC 3339 time, or Unix seconds")
    }
    return .string(time)
  }

  /// Whether digits are a year, a day or a day and a clock written together, which as Unix seconds
  /// would lie in 1970 or in some thousand years.
  private func isDate(_ digits: String) -> Bool {
    // A column that lacks some has a fraction in pandas' tables, as whole numbers have.
    let whole = String(digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...])
    guard Int(whole) != nil else { return false }
    guard whole.utf8.count == 8 else { return isDate(yearFirst: whole) }
    let (pair, next, year) = (whole.prefix(2), whole.dropFirst(2).prefix(2), whole.suffix(4))
    return [whole, "\(year)\(next)\(pair)", "\(year)\(pair)\(next)"].contains {
      isDate(yearFirst: $0)
    }
  }

  private func isDate(yearFirst digits: String) -> Bool {
    let year = digits.prefix(4)
    let rest = digits.dropFirst(4)
    guard ("1900"..."2199").contains(String(year)) else { return false }
    switch rest.count {
    case 0: return true
    case 4, 8:
      return zone.rfc3339(of: "\(year)-\(rest.prefix(2))-\(rest.dropFirst(2).prefix(2))") != nil
    default: return false
    }
  }

  /// A text as the type that is declared for an attribute; else as it is, so that the schema
  /// refuses it.
  func value(_ text: String, of name: String) -> JSONValue {
    guard let declaration = schema.attributes[schema.names[name] ?? name] else {
      return .string(text)
    }
    if declaration.isMulti, case .array(let elements)? = Self.json(text) { return .array(elements) }
    switch declaration.type {
    case .integer: return Int64(text).map { "\($0)" } == text ? .number(text) : .string(text)
    case .decimal:
      if case .number(let digits)? = Self.json(text) { return .number(digits) }
      return .string(text)
    case .boolean:
      switch text {
      case "true", "TRUE": return .bool(true)
      case "false", "FALSE": return .bool(false)
      default: return .string(text)
      }
    case .time:
      return .string(Timestamp(rfc3339: text) == nil ? zone.rfc3339(of: text) ?? text : text)
    case .text, .keyword, .place: return .string(text)
    }
  }

  private static func json(_ text: String) -> JSONValue? {
    // What is no JSON stays a text.
    try? JSONValue(parsing: Array(text.utf8).span)
  }
}
