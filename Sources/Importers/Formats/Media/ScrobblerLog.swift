import Values

/// `.scrobbler.log` of music players.
enum ScrobblerLog: HistoryFormat {
  static let name = "scrobbler-log"
  static let summary = "songs heard (.scrobbler.log)"
  static let source = "scrobbler"

  static func recognises(_ file: InputFile) -> Bool { file.firstLine.hasPrefix("#AUDIOSCROBBLER/") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard recognises(file) else {
      throw CairnError(.malformed, "is no scrobbler log (no #AUDIOSCROBBLER line)")
    }
    var lines = try file.lines()
    var isLocal = false
    while let line = try lines.next(events) {
      let place = RecordPlace.line(line.number)
      let text = line.repairedText
      guard !text.isEmpty else { continue }
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let seconds = fields.count >= 7 ? Int64(fields[6]) : nil
      // Names of artists may begin so too, and what they played has a time.
      if text.hasPrefix("#"), seconds == nil {
        if text.hasPrefix("#TZ/") { isLocal = text.hasPrefix("#TZ/UNKNOWN") }
        continue
      }
      guard let seconds,
        var time = CivilTime.scaled(seconds, by: 1_000_000), CivilTime.isInRange(time)
      else {
        events.malformed(place, "no seven fields with a time")
        continue
      }
      guard !fields[0].isEmpty, !fields[2].isEmpty else {
        events.malformed(place, "no artist or no track")
        continue
      }
      if fields[5] == "S" {
        events.skip("skipped track")
        continue
      }
      if isLocal { time = events.options.zone.utc(fromLocal: time) }
      var event = SongPlay(
        artist: fields[0], track: fields[2], album: fields[1], time: time,
        identity: Identity(source, fields[6], fields[0], fields[2]), place: place
      ).event
      event.dwell = Double(fields[4])
      try events.add(event)
    }
  }
}
