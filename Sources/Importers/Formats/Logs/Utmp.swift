import Values

/// `wtmp`: who logged in (records of 384 bytes, little-endian).
enum Utmp: HistoryFormat {
  static let name = "utmp"
  static let summary = "logins (wtmp)"

  private static let recordByteCount = 384

  static func recognises(_ file: InputFile) -> Bool {
    // Records that are not used may stand before the first that is.
    for start in stride(from: 0, through: file.head.count - recordByteCount, by: recordByteCount) {
      var reader = BinaryReader(Array(file.head[start..<start + 4]))
      guard let type = reader.unsigned(2, .little), reader.unsigned(2, .little) == 0, type <= 9
      else { return false }
      if type > 0 { return true }
    }
    return false
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard recognises(file) else {
      throw CairnError(.malformed, "is no wtmp (no records of \(recordByteCount) bytes)")
    }
    let stream = try file.bytes()
    var pending: [UInt8] = []
    var index = 0
    while try stream.next() {
      pending += stream.chunk
      var start = 0
      while pending.count - start >= recordByteCount {
        let record = Array(pending[start..<start + recordByteCount])
        try read(record, .record(index), into: events)
        start += recordByteCount
        index += 1
      }
      pending.removeFirst(start)
    }
    if !pending.isEmpty {
      events.malformed(.record(index), "\(pending.count) bytes left at the end")
    }
  }

  private static func read(_ record: [UInt8], _ place: RecordPlace, into events: Collector)
    throws(CairnError)
  {
    var reader = BinaryReader(record)
    let type = reader.unsigned(2, .little) ?? 0
    guard type == 7 else { return events.skip("type \(Int16(truncatingIfNeeded: type))") }
    _ = reader.skip(6)
    let line = text(reader.bytes(32))
    _ = reader.skip(4)
    let user = text(reader.bytes(32))
    let remote = text(reader.bytes(256))
    _ = reader.skip(8)
    // Unsigned, to reach 2106.
    let seconds = Int64(reader.unsigned(4, .little) ?? 0)
    let fraction = Int64(reader.unsigned(4, .little) ?? 0)
    guard !user.isEmpty else { return events.malformed(place, "no user") }
    guard seconds > 0, fraction < 1_000_000 else { return events.malformed(place, "no time") }
    let host = events.options.host
    let time = seconds * 1_000_000 + fraction
    var event = ImportedEvent(
      item: OtherItems.item("login", host, user),
      domain: OtherItems.domain("system", host) + ".logins", time: time, title: user,
      identity: Identity(source, host, String(time), user, line), place: place)
    event.actor = user
    event.set("terminal", line)
    event.set("remoteHost", remote)
    try events.add(event)
  }

  private static func text(_ bytes: [UInt8]?) -> String {
    FileItem.text((bytes ?? []).prefix { $0 != 0 })
  }
}
