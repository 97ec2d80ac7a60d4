import Events
import WebMarkup

/// Calendars (RFC 5545): what was put into them, and when.
enum Calendar: HistoryFormat {
  static let name = "ics"
  static let summary = "calendar entries (.ics)"

  static func recognises(_ file: InputFile) -> Bool {
    file.firstLine.uppercased().hasPrefix("BEGIN:VCALENDAR")
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard file.headText.uppercased().contains("BEGIN:VCALENDAR") else {
      throw CairnError(.malformed, "is no calendar (no BEGIN:VCALENDAR)")
    }
    var reader = Reader()
    // A line that is folded goes on in the next, which may part a character: by bytes.
    var held: [UInt8]?
    try file.forEachLine(events) { (line, _) throws(CairnError) in
      let bytes = line.bytes
      if let open = held, CalendarProperty.goesOn(open) {
        held?.removeLast()
        if open.count < LineStream.byteCountMax { held?.append(contentsOf: bytes) }
        return
      }
      if held != nil, let first = bytes.first, first == 0x20 || first == 0x09 {
        if (held?.count ?? 0) < LineStream.byteCountMax { held?.append(contentsOf: bytes[1...]) }
        return
      }
      if let held { try reader.take(held, events) }
      held = bytes
    }
    if let held { try reader.take(held, events) }
    reader.finish(events)
  }

  /// Where in the components the reading stands.
  private struct Reader {
    private var component: CalendarComponent?
    /// How deep it is inside a component, such as in an alarm.
    private var depth = 0
    private var count = 0
    /// The first lines of the component, unfolded.
    private var raw: [UInt8] = []

    mutating func take(_ line: [UInt8], _ events: Collector) throws(CairnError) {
      let property = CalendarProperty(line)
      if component != nil, raw.count <= LineStream.byteCountMax { raw += [0x0A] + line }
      let isBound = property.name == "BEGIN" || property.name == "END"
      let type = isBound ? CommandText.trimmed(property.value).uppercased() : ""
      switch property.name {
      case "BEGIN" where CalendarComponent.isEntry(type):
        // Entries do not stand in one another: the one before has lost its end.
        refuseUnended("the entry has no end", events)
        count += 1
        depth = 0
        raw = line
        component = CalendarComponent(type: type, place: .record(count))
      case "BEGIN" where component != nil: depth += 1
      case "END" where type == component?.type:
        guard let done = component else { return }
        component = nil
        showRecord(to: events)
        try done.add(to: events)
      case "END" where depth > 0: depth -= 1
      default: if depth == 0 { component?.take(property, byteCount: line.count) }
      }
    }

    private func showRecord(to events: Collector) { events.record = { raw } }

    func finish(_ events: Collector) { refuseUnended("the file ends in the middle", events) }

    private func refuseUnended(_ reason: String, _ events: Collector) {
      showRecord(to: events)
      if component != nil { events.malformed(.record(count), reason) }
    }
  }
}

/// One line: `NAME;PARAMETER=VALUE:TEXT`.
struct CalendarProperty {
  var name = ""
  var parameters: [String: String] = [:]
  var value = ""

  private static let quotedPrintable = "QUOTED-PRINTABLE"
  private static let base64: Set = ["BASE64", "B"]

  /// Whether the value of a line goes on in the next, as in vCalendar 1.0, which telephones wrote.
  static func goesOn(_ line: [UInt8]) -> Bool {
    guard line.last == UInt8(ascii: "=") else { return false }
    let head = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    return head.uppercased().contains(quotedPrintable)
  }

  init(_ line: [UInt8]) {
    var isQuoted = false
    var parts: [[UInt8]] = [[]]
    var rest = line[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ":"), !isQuoted {
        break
      } else if byte == UInt8(ascii: ";"), !isQuoted {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    name = String(decoding: parts[0], as: UTF8.self).uppercased()
    if name == "DCREATED" { name = "CREATED" }
    for part in parts.dropFirst() {
      let pair = String(decoding: part, as: UTF8.self).split(separator: "=", maxSplits: 1)
      // vCalendar 1.0 names an encoding without saying that it is one.
      if let key = pair.first { parameters[key.uppercased()] = String(pair[pair.count - 1]) }
    }
    value = String(decoding: rest, as: UTF8.self)
    // An attachment may be of any size, and is not read.
    if !parameters.isEmpty, CalendarComponent.names.contains(name) { decode(rest) }
  }

  /// Undoes the encoding and the charset of vCalendar 1.0, where the value is in one.
  private mutating func decode(_ written: ArraySlice<UInt8>) {
    let named = parameters["ENCODING"] ?? parameters[Self.quotedPrintable] ?? parameters["BASE64"]
    let encoding = named?.uppercased()
    let charset = parameters["CHARSET"]
    guard encoding != nil || charset != nil else { return }
    var bytes = Array(written)
    if encoding == Self.quotedPrintable {
      bytes = QuotedPrintable.decode(written).filter { $0 != 0x0D }
    } else if let encoding, Self.base64.contains(encoding) {
      bytes = Base64Text.decode(written)
    }
    guard let charset else { return value = FileItem.text(bytes) }
    let text = DecodedText(bytes, contentType: "text/plain; charset=\(charset)")
    value = String(decoding: text.bytes, as: UTF8.self)
  }

  /// The values of a list, split at commas that are not escaped.
  var texts: [String] {
    var texts = [""]
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if isEscaped {
        texts[texts.count - 1].unicodeScalars.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "," {
        texts.append("")
      } else {
        texts[texts.count - 1].unicodeScalars.append(scalar)
      }
    }
    return texts
  }

  /// One text without its escapes.
  var text: String { texts.joined(separator: ",") }

  /// Microseconds since 1970, so many days later on the same clock; times without a zone are in the
  /// given one.
  func time(zone: TimeZone, daysLater days: Int64 = 0) -> Int64? {
    let later = days * 86_400_000_000
    var reader = DigitScanner(value)
    guard let year = reader.number(4), let month = reader.number(2), let day = reader.number(2)
    else { return nil }
    // A day without a time begins at 00:00 UTC.
    if reader.isAtEnd { return CivilTime.utc(year, month, day).map { $0 + later } }
    guard reader.take("T"), let hour = reader.number(2), let minute = reader.number(2),
      let second = reader.number(2),
      let first = CivilTime.utc(year, month, day, hour, minute, second)
    else { return nil }
    let local = first + later
    if reader.take("Z") { return reader.isAtEnd ? local : nil }
    guard reader.isAtEnd else { return nil }
    let named = parameters["TZID"].flatMap { TimeZone(named: $0) }
    return (named ?? zone).utc(fromLocal: local)
  }

  /// Days and microseconds of `P1DT2H30M` or `P2W`: days are as long as the clock makes them; nil
  /// for what is no such length.
  var length: (days: Int64, microseconds: Int64)? {
    let text = value.drop { $0 == "+" }
    let date = text.prefix { $0 != "T" }
    guard let all = MarkupNumber.seconds(String(text)),
      let days = date == "P" ? 0 : MarkupNumber.seconds(String(date))
    else { return nil }
    return (Int64(days / 86_400), Int64(((all - days) * 1e6).rounded()))
  }
}

struct CalendarComponent {
  var type: String
  var place: RecordPlace
  var properties: [CalendarProperty] = []
  /// Bytes of the lines that say what is read.
  var byteCount = 0

  /// What is read.
  static let names: Set = [
    "UID", "CREATED", "DTSTAMP", "DTSTART", "DTEND", "DUE", "DURATION", "RECURRENCE-ID", "SUMMARY",
    "SEQUENCE", "LAST-MODIFIED", "STATUS", "DESCRIPTION", "LOCATION", "CATEGORIES", "RRULE",
  ]

  mutating func take(_ property: CalendarProperty, byteCount count: Int) {
    guard Self.names.contains(property.name) else { return }
    byteCount += count
    if byteCount <= LineStream.byteCountMax { properties.append(property) }
  }

  private func first(_ name: String) -> CalendarProperty? { properties.first { $0.name == name } }

  private static let types = ["VEVENT": "public.calendar-event", "VTODO": "public.to-do-item"]

  /// Whether components of this type are entries.
  static func isEntry(_ type: String) -> Bool { types[type] != nil || type == "VJOURNAL" }

  func add(to events: Collector) throws(CairnError) {
    guard byteCount <= LineStream.byteCountMax else {
      return events.malformed(place, "the entry is too long")
    }
    guard let uid = first("UID").map({ $0.text }), !uid.isEmpty else {
      return events.malformed(place, "no UID")
    }
    let zone = events.options.zone
    var times: [String: Int64] = [:]
    for name in ["CREATED", "DTSTAMP", "DTSTART", "DTEND", "DUE"] {
      guard let property = first(name), !property.value.isEmpty else { continue }
      guard let time = property.time(zone: zone) else {
        // Google writes the year 0, or 1900, for what it was not told.
        if name == "CREATED", property.value.hasPrefix("0000") { continue }
        return events.malformed(place, "a time that is none")
      }
      times[name] = time
    }
    let recurrence = first("RECURRENCE-ID")?.value
    let known = ["CREATED", "DTSTAMP", "DTSTART"].compactMap { times[$0] }
    var event = ImportedEvent(
      .index, item: "calendar:" + uid + (recurrence.map { "#" + $0 } ?? ""), domain: "calendar",
      time: known.first(where: CivilTime.isInRange) ?? known.first,
      title: first("SUMMARY").flatMap { CommandText.nonBlank($0.text) } ?? uid,
      identity: Identity(
        Calendar.source, uid, recurrence ?? "", first("SEQUENCE")?.value ?? "",
        first("LAST-MODIFIED")?.value ?? ""), place: place)
    if let time = event.time, !CivilTime.isInRange(time) {
      return events.malformed(place, "a time out of range")
    }
    if first("STATUS")?.value.uppercased() == "CANCELLED" { event.kind = .delete }
    event.set("contentType", Self.types[type])
    event.set("contentDescription", first("DESCRIPTION")?.text)
    event.set("namedLocation", first("LOCATION")?.text)
    event.set("keywords", properties.filter { $0.name == "CATEGORIES" }.flatMap(\.texts))
    event.set("startDate", time: times["DTSTART"])
    event.set("endDate", time: times["DTEND"] ?? times["DUE"] ?? end(zone))
    event.set("recurrenceRule", first("RRULE")?.value)
    try events.add(event)
  }

  /// When it ends, of what says how long it is.
  private func end(_ zone: TimeZone) -> Int64? {
    guard let start = first("DTSTART"), let length = first("DURATION")?.length else { return nil }
    return start.time(zone: zone, daysLater: length.days).map { $0 + length.microseconds }
  }
}
