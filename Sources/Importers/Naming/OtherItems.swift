import Events
import Values

/// Items that are neither pages nor files nor commands: programs, songs, books.
enum OtherItems {
  /// `scheme:A/B`, every part percent-encoded.
  static func item(_ scheme: String, _ parts: String...) -> String {
    scheme + ":" + parts.map { PercentEncoding.encode($0) }.joined(separator: "/")
  }

  /// `prefix.A.B`, every part one component; empty parts are left out.
  static func domain(_ prefix: String, _ parts: String...) -> String {
    ([prefix] + parts.filter { !$0.isEmpty }.map { DomainPath.component($0) })
      .joined(separator: ".")
  }
}

struct SongPlay {
  var artist: String
  var track: String
  var album: String?
  /// Microseconds since 1970.
  var time: Int64
  var identity: Identity
  var place: RecordPlace

  /// The view of the song.
  var event: ImportedEvent {
    var event = ImportedEvent(
      item: OtherItems.item("music", artist, track), domain: "media.music", time: time,
      title: track, identity: identity, place: place)
    event.set("artist", artist)
    event.set("album", album)
    return event
  }
}
