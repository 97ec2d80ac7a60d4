import Values

/// W3C extended log files, as IIS writes them.
enum W3CLog: HistoryFormat {
  static let name = "w3c"
  static let summary = "views in a web server's log (W3C extended, IIS)"
  static let source = "w3c-log"

  static func recognises(_ file: InputFile) -> Bool { file.holds("#Fields: ") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard recognises(file) else {
      throw CairnError(.malformed, "is no W3C extended log (no #Fields)")
    }
    var columns: [String] = []
    var day: String?
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      let text = line.repairedText
      if text.hasPrefix("#") {
        if text.hasPrefix("#Fields:") {
          columns = text.dropFirst(8).split(whereSeparator: isBlank).map(String.init)
        } else if text.hasPrefix("#Date:") {
          day = text.dropFirst(6).split(separator: " ").first.map(String.init)
        }
        return
      }
      guard CommandText.nonBlank(text) != nil else { return }
      var fields = text.split(whereSeparator: isBlank).map(String.init)
      if text.utf8.contains(UInt8(ascii: "\"")) {
        let quoted = quotedFields(of: text)
        if quoted.count == columns.count { fields = quoted }
      }
      guard fields.count == columns.count else {
        return events.malformed(
          place, "\(fields.count) fields where \(columns.count) are named")
      }
      var values: [String: String] = [:]
      for (column, field) in zip(columns, fields) where !["-", ""].contains(field) {
        values[column] = field
      }
      try add(values, day: day, text, place, events)
    }
  }

  /// Between fields; CloudFront writes tabs.
  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  /// The fields of a line of which some stand in quotes and hold blanks and, doubled, quotes, as
  /// Tomcat and proxies write them.
  private static func quotedFields(of text: String) -> [String] {
    var fields: [String] = []
    var isInField = false
    var isQuoted = false
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { before = scalar }
      if !isQuoted, scalar == " " || scalar == "\t" {
        isInField = false
        continue
      }
      let isFirst = !isInField
      if isFirst { fields.append("") }
      isInField = true
      let isDoubled = scalar == "\"" && before == "\"" && !isFirst && !isQuoted
      if scalar == "\"", isFirst || isQuoted {
        isQuoted.toggle()
        continue
      }
      if isDoubled { isQuoted = true }
      fields[fields.count - 1].unicodeScalars.append(scalar)
    }
    return fields
  }

  private static func add(
    _ values: [String: String], day: String?, _ line: String, _ place: RecordPlace,
    _ events: Collector
  ) throws(CairnError) {
    guard values["cs-method"] == "GET", let stem = values["cs-uri-stem"],
      ["200", "206", "304"].contains(values["sc-status"] ?? "")
    else { return events.skip("no view") }
    guard let date = values["date"] ?? day, let clock = values["time"],
      let time = CivilTime.iso("\(date)T\(clock)Z"), CivilTime.isInRange(time)
    else { return events.malformed(place, "no time") }
    let target = WebAddress.withoutUser(stem) + (values["cs-uri-query"].map { "?" + $0 } ?? "")
    guard target.utf8.count <= WebAddress.byteCountMax else {
      return events.malformed(place, "a path longer than \(WebAddress.byteCountMax) bytes")
    }
    var event = ImportedEvent(
      item: target, domain: AccessLog.domain(of: target), time: time,
      title: PercentEncoding.decode(target), identity: Identity(source, line), place: place)
    // A line that has no day may stand there on another day as well.
    if values["date"] == nil { event.identity.add(date) }
    event.identity.addCount()
    event.actor = values["c-ip"]
    event.user = values["cs-username"]
    try events.add(event)
  }
}
