import Events

/// ListenBrainz: the lines of its export, or what its API answers.
enum ListenBrainz: JSONFormat {
  static let name = "listenbrainz"
  static let summary = "songs heard (ListenBrainz)"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"track_metadata\"") && file.holds("\"listened_at\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    if try json.kind() == .array { return try json.records(events, reading(events)) }
    try json.objects(events) { (index) throws(CairnError) in
      try readObject(json, index, events)
    }
  }

  /// A listen, or an answer with listens in it.
  private static func readObject(_ json: JSONStream, _ index: Int, _ events: Collector)
    throws(CairnError)
  {
    var members = JSONObject()
    var isAnswer = false
    try json.members { (key) throws(CairnError) in
      if key == "payload", try json.kind() == .array {
        isAnswer = true
        return try json.records(events, reading(events))
      }
      if key == "payload", try json.kind() == .object {
        isAnswer = true
        return try json.members { (key) throws(CairnError) in
          guard key == "listens", try json.kind() == .array else { return try json.skip() }
          try json.records(events, reading(events))
        }
      }
      guard ["listened_at", "track_metadata"].contains(key) else { return try json.skip() }
      if case .value(let value) = try json.value() { members[key] = value }
    }
    if !isAnswer { try reading(events)(.object(members), .element(index)) }
  }

  private static func reading(_ events: Collector)
    -> (JSONValue, RecordPlace) throws(CairnError) -> Void
  {
    { (listen, place) throws(CairnError) in
      let seconds = listen["listened_at"]?.integer ?? 0
      let stamp = CivilTime.scaled(seconds, by: 1_000_000)
      guard let time = events.time(stamp, at: place) else { return }
      let about = listen["track_metadata"] ?? .null
      guard let track = about["track_name"]?.string.flatMap(CommandText.nonBlank),
        let artist = about["artist_name"]?.string.flatMap(CommandText.nonBlank)
      else { return events.malformed(place, "no names") }
      try events.add(
        SongPlay(
          artist: artist, track: track, album: about["release_name"]?.string, time: time,
          identity: Identity(source, String(seconds), artist, track), place: place
        ).event)
    }
  }
}
