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
    var isLocal = false
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      let text = line.repairedText
      guard !text.isEmpty else { return }
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let seconds = fields.count >= 7 ? Int64(fields[6]) : nil
      // Names of artists may begin so too, and what they played has a time.
      if text.hasPrefix("#"), seconds == nil {
        if text.hasPrefix("#TZ/") { isLocal = text.hasPrefix("#TZ/UNKNOWN") }
        return
      }
      guard let seconds,
        var time = CivilTime.scaled(seconds, by: 1_000_000), CivilTime.isInRange(time)
      else { return events.malformed(place, "no seven fields with a time") }
      guard !fields[0].isEmpty, !fields[2].isEmpty else {
        return events.malformed(place, "no artist or no track")
      }
      if fields[5] == "S" { return events.skip("skipped track") }
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
