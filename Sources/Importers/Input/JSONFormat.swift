import Events

protocol JSONFormat: HistoryFormat {
  /// Reads the document; what it has added counts even when the file ends in its middle.
  static func read(_ json: JSONStream, into events: Collector) throws(CairnError)
  /// Whether the first bytes, which are those of JSON, are of this format.
  static func fits(_ file: InputFile) -> Bool
}

extension JSONFormat {
  package static func recognises(_ file: InputFile) -> Bool {
    let text = file.headText
    guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else {
      return false
    }
    return (first == "{" || first == "[") && fits(file)
  }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    let json = try JSONStream(try file.bytes())
    do throws(CairnError) {
      try read(json, into: events)
      // Such as a second export that was put behind the first.
      guard try json.isAtEnd() else {
        throw CairnError(.malformed, "more stands after the end of the document")
      }
    } catch {
      // An array that is cut in the middle: what came whole before counts.
      guard error.code == .malformed, events.count + events.skipped.count > 0 else { throw error }
      events.malformed(.byte(json.position), error.message)
    }
  }
}

extension InputFile {
  /// The key with which an object begins; nil where the first bytes are those of something else.
  var firstKey: String? {
    let start = headText.prefix(256).drop { $0.isWhitespace }
    let key = start.dropFirst().drop { $0.isWhitespace }
    guard start.first == "{", key.first == "\"" else { return nil }
    return String(key.dropFirst().prefix { $0 != "\"" })
  }
}

extension JSONStream {
  /// Gives the member of these names, and of this kind, that a document is read for; others are
  /// skipped.
  func member(
    _ names: String..., kind wanted: Kind? = nil, of document: String,
    _ body: () throws(CairnError) -> Void
  ) throws(CairnError) {
    guard try kind() == .object else { throw CairnError(.malformed, "is \(document) (no object)") }
    var isFound = false
    try members { (key) throws(CairnError) in
      guard names.contains(key) else { return try skip() }
      if let wanted, try kind() != wanted { return try skip() }
      isFound = true
      try body()
    }
    guard isFound else {
      throw CairnError(.malformed, "is \(document) (no \(names.last ?? ""))")
    }
  }

  /// Gives every element of an array that is an object; others are malformed records.
  func records(_ events: Collector, _ body: (JSONValue, RecordPlace) throws(CairnError) -> Void)
    throws(CairnError)
  {
    try elements { (index) throws(CairnError) in
      try record(events, at: .element(index), body)
    }
  }

  /// Gives one value that has to be an object.
  /// - Throws: `CairnError` also for what is none and, as a line, goes on in the next ones.
  func record(
    _ events: Collector, at place: RecordPlace, isLine: Bool = false,
    _ body: (JSONValue, RecordPlace) throws(CairnError) -> Void
  ) throws(CairnError) {
    let element = try value()
    let bytes = taken
    events.record = { bytes }
    defer { events.record = { [] } }
    switch element {
    case .malformed(let reason):
      // What was cut off has taken whole lines for its own.
      let next: ArraySlice<UInt8>? =
        isLine ? bytes.firstIndex(of: 0x0A).map { bytes[($0 + 1)...] } : nil
      guard next?.first != UInt8(ascii: "{") else { throw CairnError(.malformed, reason) }
      events.malformed(place, reason)
    case .value(let value):
      guard value.isObject else { return events.malformed(place, "no object") }
      try body(value, place)
    }
  }

  /// Gives the records of a document that is one array, or one object a line.
  func recordsOrLines(
    _ events: Collector, _ body: (JSONValue, RecordPlace) throws(CairnError) -> Void
  ) throws(CairnError) {
    if try kind() == .array { return try records(events, body) }
    try objects(events) { (index) throws(CairnError) in
      try record(events, at: .element(index), isLine: true, body)
    }
  }

  /// Gives the number of every object of a document that is one a line, from 0; the body takes it.
  ///
  /// A line that is none is reported, and costs no other. Where the first object goes on in other
  /// lines, others may as well, up to one that breaks and has the next begin in the line after it.
  func objects(_ events: Collector, _ body: (Int) throws(CairnError) -> Void) throws(CairnError) {
    var index = 0
    while try !isAtEnd() {
      let (start, count) = (position, events.count)
      begin()
      events.record = { self.bytesSinceBegin }
      do throws(CairnError) {
        guard try kind() == .object else {
          throw CairnError(.malformed, "is neither an array nor objects, one a line")
        }
        try body(index)
        if index == 0 { isByLine = !hasSpannedLines }
      } catch {
        guard error.code == .malformed else { throw error }
        // What gave events before it broke is more than a line.
        let isLine = isByLine || events.count == count
        guard isLine, let line = try isByLine ? skipLine() : goOn(afterLineOf: start) else {
          events.record = { [] }
          throw error
        }
        isByLine = true
        events.record = { line }
        events.malformed(.element(index), error.message)
      }
      events.record = { [] }
      index += 1
    }
  }
}
