import Events
import WebMarkup

/// `My Clippings.txt` of a Kindle in English.
enum Kindle: HistoryFormat {
  static let name = "kindle"
  static let summary = "highlights and notes in books (Kindle My Clippings.txt)"

  static func recognises(_ file: InputFile) -> Bool {
    guard file.holds("==========") else { return false }
    // The second line of the first clipping, in any language: other texts have lists and rules as
    // well.
    let lines = file.headLines.lazy.filter { CommandText.nonBlank(String($0)) != nil }
    return lines.prefix(2).contains { $0.hasPrefix("- ") && $0.contains(" |") }
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var entry: [String] = []
    // What the lines take, those without a letter too.
    var byteCount = 0
    var count = 0
    var isFound = false
    try file.forEachLine(events) { (line, _) throws(CairnError) in
      var text = line.repairedText
      if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
      guard text.hasPrefix("==========") else {
        byteCount += text.utf8.count + MemoryLayout<String>.size
        if byteCount <= LineStream.byteCountMax { entry.append(text) }
        return
      }
      isFound = true
      count += 1
      let whole = entry + ["=========="]
      events.record = { Array(whole.joined(separator: "\n").utf8) }
      if byteCount > LineStream.byteCountMax {
        events.malformed(.record(count), "the clipping is too long")
      } else {
        try read(entry, .record(count), into: events)
      }
      entry = []
      byteCount = 0
    }
    guard isFound else { throw CairnError(.malformed, "holds no clippings of a Kindle") }
    if entry.contains(where: { CommandText.nonBlank($0) != nil }) {
      events.malformed(.record(count + 1), "the file ends in the middle")
    }
  }

  private static func read(_ lines: [String], _ place: RecordPlace, into events: Collector)
    throws(CairnError)
  {
    let lines = Array(lines.drop { CommandText.nonBlank($0) == nil })
    guard lines.count >= 2, let header = Header(lines[1]),
      let local = header.time, CivilTime.isInRange(local)
    else { return events.malformed(place, "no clipping in English") }
    let (title, author) = book(CommandText.trimmed(lines[0]))
    let text = CommandText.trimmed(lines.dropFirst(2).joined(separator: "\n"))
    let time =
      header.offset.map { local - $0 * 1_000_000 } ?? events.options.zone.utc(fromLocal: local)
    let bookItem = OtherItems.item("book", title)
    let position = header.kind.lowercased() + " " + header.location
    let isMark = header.kind == "Bookmark"
    var event = ImportedEvent(
      isMark ? .view : .index,
      item: isMark ? bookItem : bookItem + "#" + PercentEncoding.encode(position),
      domain: "media.books", time: time, title: title,
      identity: Identity(source, title, position, String(local), text), place: place)
    event.set("authorNames", author.map { [$0] } ?? [])
    if !isMark {
      event.set("textContent", text)
      event.set("location", header.location)
    }
    try events.add(event)
  }

  /// `Title (Author)`: the author stands in the last brackets.
  private static func book(_ line: String) -> (title: String, author: String?) {
    // Names in brackets may hold some of their own.
    var depth = 0
    let open = line.indices.reversed().first { index in
      depth += line[index] == ")" ? 1 : line[index] == "(" ? -1 : 0
      return depth == 0
    }
    guard line.hasSuffix(")"), let open, open > line.startIndex else { return (line, nil) }
    let author = line[line.index(after: open)...].dropLast()
    return (CommandText.trimmed(line[..<open]), CommandText.trimmed(author))
  }

  /// The second line: `- Your Highlight on page 9 | Location 1-2 | Added on DATE`.
  private struct Header {
    var kind: String
    var location: String
    /// As the device's clock showed it.
    var time: Int64?
    /// Seconds east of UTC, where the device says so: `GMT-02:23`.
    var offset: Int64?

    init?(_ line: String) {
      var rest = CommandText.trimmed(line)[...]
      guard rest.hasPrefix("- ") else { return nil }
      rest = rest.dropFirst(2)
      if rest.hasPrefix("Your ") { rest = rest.dropFirst(5) }
      guard let kind = ["Highlight", "Note", "Bookmark"].first(where: { rest.hasPrefix($0) }),
        let added = rest.firstRange(of: "Added on ")
      else { return nil }
      self.kind = kind
      var place = rest[..<added.lowerBound].dropFirst(kind.count)
      while let last = place.last, last == " " || last == "|" { place = place.dropLast() }
      for word in [" on ", " at "] where place.hasPrefix(word) { place = place.dropFirst(4) }
      location = CommandText.trimmed(place)
      let words = rest[added.upperBound...].split { $0.isWhitespace || $0 == "," }
      time = Self.time(words)
      if let zone = words.last, zone.hasPrefix("GMT") {
        var digits = DigitScanner(zone.dropFirst(3))
        offset = digits.isAtEnd ? 0 : digits.offset().map(Int64.init)
      }
    }

    /// A time such as `Monday, January 1, 2024 11:00:00 AM` or `Monday, 1 January 2024 22:00:00`.
    private static func time(_ words: [Substring]) -> Int64? {
      guard words.count >= 5 else { return nil }
      let isDayFirst = Int(words[1]) != nil
      guard let day = Int(words[isDayFirst ? 1 : 2]),
        let month = WrittenTime.month(named: words[isDayFirst ? 2 : 1]), let number = Int(words[3])
      else { return nil }
      let clock = words[4].split(separator: ":").compactMap { Int($0) }
      guard clock.count >= 2 else { return nil }
      var hour = clock[0]
      let half = words.count > 5 ? words[5].uppercased() : ""
      if half == "AM" || half == "PM" {
        guard (1...12).contains(hour) else { return nil }
        hour = hour % 12 + (half == "PM" ? 12 : 0)
      }
      // There was no Kindle before 2007.
      let year = number < 100 ? number + 2000 : number
      return CivilTime.utc(year, month, day, hour, clock[1], clock.count > 2 ? clock[2] : 0)
    }
  }
}
