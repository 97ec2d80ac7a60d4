package import Values

/// Rows of comma-separated values (RFC 4180) with a header; memory for one row.
package struct CSVRows: ~Copyable {
  package struct Row {
    fileprivate var columns: [String: Int]
    package var fields: [String]
    /// Where it begins, from 1.
    package var line: Int
    /// As it stands in the file, without its newline; empty unless bytes are kept.
    package var bytes: [UInt8]
    /// The column that is no UTF-8, from 1.
    fileprivate var columnOfOtherText: Int?

    /// What is wrong with its bytes.
    package var fault: String? { columnOfOtherText.map { CSVRows.otherText("column \($0)") } }

    /// A field; nil where the column is missing or the field is empty.
    package subscript(_ column: String) -> String? {
      guard let index = columns[column], index < fields.count, !fields[index].isEmpty else {
        return nil
      }
      return fields[index]
    }
  }

  private let stream: ByteStream
  private var separator = UInt8(ascii: ",")
  private var newline: UInt8 = 0x0A
  private var at = 0
  private var line = 1
  private var columns: [String: Int] = [:]
  private let keepsBytes: Bool
  private var bytes: [UInt8] = []
  private var columnOfOtherText: Int?
  /// Whether the row that came last has no newline at its end.
  private var hasEnded = false
  /// How many fields a whole row has at least: some programs leave out empty ones at its end.
  private var fieldCount = 0

  /// The header as it stands in the file, without a byte order mark and its newline; empty unless
  /// bytes are kept.
  package private(set) var headerBytes: [UInt8] = []

  /// The names of the columns as they are written, in their order.
  package private(set) var header: [String] = []

  static let rowByteCountMax = 8 << 20

  /// Reads the header; names are compared in lower case.
  ///
  /// Where it has no comma, a semicolon or a tab parts the columns, as spreadsheets write them;
  /// those of old Macs end lines with a return alone.
  package init(_ stream: ByteStream, keepsBytes: Bool = false) throws(CairnError) {
    self.stream = stream
    self.keepsBytes = keepsBytes
    guard try stream.next() else { throw CairnError(.malformed, "is empty") }
    guard !InputFile.isUTF16(stream.chunk) else { throw InputFile.utf16 }
    let newline = LineStream.newline(of: stream.chunk)
    self.newline = newline
    at = stream.chunk.count - ByteOrderMark.dropped(from: stream.chunk[...]).count
    separator = Self.separator(of: stream.chunk.prefix { $0 != newline })
    guard let names = try fields() else { throw CairnError(.malformed, "is empty") }
    guard columnOfOtherText == nil else {
      throw CairnError(.malformed, Self.otherText("the header"))
    }
    headerBytes = bytes
    header = names.map { CommandText.trimmed($0) }
    fieldCount = header.count
    for (index, name) in header.enumerated() { columns[name.lowercased()] = index }
  }

  /// The names in the first line of a file, in lower case.
  package static func names(in line: some Collection<UInt8>) -> Set<String> {
    let line = line.prefix { $0 != 0x0D }
    let separator = separator(of: line)
    let names = line.split(separator: separator).map { name in
      CommandText.trimmed(String(decoding: name.filter { $0 != 0x22 }, as: UTF8.self))
    }
    // The byte order mark that some programs put before UTF-8 is no part of a name.
    return Set(
      names.map { String($0.unicodeScalars.trimmingPrefix("\u{FEFF}".unicodeScalars)).lowercased() }
    )
  }

  private static func otherText(_ place: String) -> String {
    "\(place) is not UTF-8; convert the file, such as: iconv -f WINDOWS-1252 -t UTF-8"
  }

  private static func separator(of line: some Collection<UInt8>) -> UInt8 {
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return separators.first(where: line.contains) ?? separators[0]
  }

  /// Whether there is a column of this name, in lower case.
  func has(_ column: String) -> Bool { columns[column] != nil }

  /// The next row; lines with nothing in them are none.
  /// - Throws: `CairnError` for a quote that never ends.
  package mutating func next() throws(CairnError) -> Row? {
    while true {
      let start = line
      guard let fields = try fields() else { return nil }
      if fields.count == 1, fields[0].isEmpty { continue }
      return Row(
        columns: columns, fields: fields, line: start, bytes: bytes,
        columnOfOtherText: columnOfOtherText)
    }
  }

  /// Gives every row that is UTF-8, as the record that is being read; others are reported.
  mutating func forEachRow(
    _ events: Collector, _ body: (Row, RecordPlace) throws(CairnError) -> Void
  ) throws(CairnError) {
    events.record = { [] }
    while let row = try next() {
      events.record = { row.bytes }
      let isCut = hasEnded && row.fields.count < fieldCount
      fieldCount = min(fieldCount, row.fields.count)
      if let fault = isCut ? "the file ends in the middle of the row" : row.fault {
        events.malformed(.line(row.line), fault)
      } else {
        try body(row, .line(row.line))
      }
      events.record = { [] }
    }
  }

  private mutating func byte() throws(CairnError) -> UInt8? {
    guard try stream.fill(&at) else { return nil }
    at += 1
    return stream.chunk[at - 1]
  }

  private mutating func fields() throws(CairnError) -> [String]? {
    var fields: [String] = []
    var field: [UInt8] = []
    var count = 0
    var isQuoted = false
    var mayOpen = true
    var hasClosed = false
    // Carriage returns at the end of the row that stand in no quotes.
    var returnCount = 0
    let start = line
    bytes = []
    columnOfOtherText = nil
    while true {
      guard let byte = try byte() else {
        guard !isQuoted else {
          throw CairnError(.malformed, "a quote in the row of line \(start) never ends")
        }
        guard count > 0 else { return nil }
        hasEnded = true
        break
      }
      count += 1
      guard count <= Self.rowByteCountMax else {
        throw CairnError(.malformed, "a row is larger than \(Self.rowByteCountMax >> 20) MiB")
      }
      if byte == newline { line += 1 }
      if keepsBytes { bytes.append(byte) }
      let follows = hasClosed
      hasClosed = false
      if byte != newline || isQuoted {
        returnCount = byte == 0x0D && !isQuoted ? returnCount + 1 : 0
      }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        isQuoted = false
        hasClosed = true
      case _ where isQuoted: field.append(byte)
      case UInt8(ascii: "\"") where follows:
        // Two quotes in quotes are one.
        field.append(byte)
        isQuoted = true
      case UInt8(ascii: "\"") where mayOpen:
        // Behind more than blanks it is a letter, as in 5" disk.
        isQuoted = true
        mayOpen = false
      case separator:
        fields.append(text(of: field, column: fields.count + 1))
        field.removeAll(keepingCapacity: true)
        mayOpen = true
      case newline:
        endRow(field.dropLast(returnCount), &fields)
        return fields
      default:
        field.append(byte)
        mayOpen = mayOpen && (byte == 0x20 || byte == 0x09)
      }
    }
    endRow(field.dropLast(returnCount), &fields)
    return fields
  }

  private mutating func endRow(_ field: ArraySlice<UInt8>, _ fields: inout [String]) {
    fields.append(text(of: Array(field), column: fields.count + 1))
    if bytes.last == newline { bytes.removeLast() }
  }

  private mutating func text(of field: [UInt8], column: Int) -> String {
    if let text = String(validating: field, as: UTF8.self) { return text }
    columnOfOtherText = columnOfOtherText ?? column
    return ""
  }
}

/// A format that is comma-separated values.
protocol CSVFormat: HistoryFormat {
  /// The columns by which it is known, in lower case.
  static var columns: [String] { get }
  static func read(_ rows: inout CSVRows, into events: Collector) throws(CairnError)
}

extension CSVFormat {
  package static func recognises(_ file: InputFile) -> Bool {
    CSVRows.names(in: file.firstLine.utf8).isSuperset(of: columns)
  }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var rows = try CSVRows(try file.bytes(), keepsBytes: true)
    for column in columns where !rows.has(column) {
      throw CairnError(.malformed, "is not in the format \(name) (no column \(column))")
    }
    do { try read(&rows, into: events) } catch {
      guard error.code == .malformed else { throw error }
      events.malformed(.record(0), error.message)
    }
  }
}
