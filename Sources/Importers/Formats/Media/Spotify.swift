import Events

/// Spotify's streaming history, basic or extended.
enum Spotify: JSONFormat {
  static let name = "spotify"
  static let summary = "songs and podcasts played (Spotify)"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"ms_played\"") || file.holds("\"msPlayed\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    guard try json.kind() == .array else {
      throw CairnError(.malformed, "is no streaming history of Spotify (no array)")
    }
    try json.records(events) { (play, place) throws(CairnError) in
      if play["endTime"] != nil { events.isShortHistory = true }
      guard play["incognito_mode"]?.bool != true else { return events.skip("private session") }
      let stamp = play["ts"]?.string ?? play["endTime"]?.string ?? ""
      guard let end = events.time(CivilTime.iso(stamp), at: place) else { return }
      let played = (play["ms_played"] ?? play["msPlayed"])?.integer ?? 0
      guard (0..<1_000_000_000).contains(played) else {
        return events.malformed(place, "a playing time out of range")
      }
      guard var event = event(play, time: end - played * 1000, place) else {
        return events.malformed(place, "neither names nor a URI")
      }
      event.identity = Identity(
        source, stamp, play["spotify_track_uri"]?.string ?? event.item, String(played))
      event.identity.addCount()
      event.dwell = Double(played) / 1000
      event.device = play["platform"]?.string
      try events.add(event)
    }
  }

  private static func event(_ play: JSONValue, time: Int64, _ place: RecordPlace) -> ImportedEvent?
  {
    // An empty name is none.
    func name(_ key: String) -> String? { play[key]?.string.flatMap(CommandText.nonBlank) }
    let identity = Identity()
    if let track = name("master_metadata_track_name") ?? name("trackName") {
      let artist = name("master_metadata_album_artist_name") ?? name("artistName") ?? ""
      return SongPlay(
        artist: artist, track: track, album: play["master_metadata_album_album_name"]?.string,
        time: time, identity: identity, place: place
      ).event
    }
    if let episode = name("episode_name") ?? name("episodeName") {
      let show = name("episode_show_name") ?? name("podcastName") ?? ""
      var event = ImportedEvent(
        item: OtherItems.item("podcast", show, episode), domain: "media.podcasts", time: time,
        title: episode, identity: identity, place: place)
      event.set("album", show)
      return event
    }
    if let book = name("audiobook_title") ?? name("audiobookName") {
      return ImportedEvent(
        item: OtherItems.item("book", book), domain: "media.books", time: time, title: book,
        identity: identity, place: place)
    }
    let domains = [
      ("spotify_track_uri", "media.music"), ("spotify_episode_uri", "media.podcasts"),
      ("audiobook_uri", "media.books"), ("audiobook_chapter_uri", "media.books"),
    ]
    for (key, domain) in domains {
      guard let uri = play[key]?.string, !uri.isEmpty else { continue }
      return ImportedEvent(
        item: uri, domain: domain, time: time, title: uri, identity: identity, place: place)
    }
    return nil
  }
}
