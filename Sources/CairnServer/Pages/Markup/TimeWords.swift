package import Cairn

/// Times as people read them: how long ago, and exactly.
package struct TimeWords: Sendable {
  let now: Timestamp
  let zone: CivilZone

  /// "3 days ago", "in 2 hours".
  package func distance(_ time: Timestamp) -> String {
    let seconds = now.seconds - time.seconds
    let size = abs(seconds)
    if size < 45 { return "just now" }
    let words = Self.words(size)
    return seconds > 0 ? "\(words) ago" : "in \(words)"
  }

  /// How long something lasted: "40 seconds", "2 hours".
  static func length(_ seconds: Double) -> String {
    let whole = Int64(exactly: seconds.rounded()) ?? .max
    return whole < 60 ? (whole == 1 ? "1 second" : "\(whole) seconds") : words(whole)
  }

  private static func words(_ seconds: Int64) -> String {
    let units: [(Int64, String)] = [
      (31_556_952, "year"), (2_629_746, "month"), (604_800, "week"), (86_400, "day"),
      (3_600, "hour"), (60, "minute"),
    ]
    for (length, name) in units where seconds >= length {
      let count = seconds / length
      return count == 1 ? "1 \(name)" : "\(count) \(name)s"
    }
    return "1 minute"
  }

  /// The minute in the local zone, with its offset.
  package func exact(_ time: Timestamp) -> String { zone.text(of: time) }

  /// The day in the local zone.
  package func day(_ time: Timestamp) -> String { String(zone.minute(of: time).prefix(10)) }
}

extension HTML {
  /// A time, both relative and exact.
  mutating func time(_ time: Timestamp, _ words: TimeWords) {
    element("time", [.text("datetime", time.rfc3339), .class("when")]) { html in
      html.element("span", [.class("distance")], words.distance(time))
      html.text(" ")
      html.element("span", [.class("exact")], words.exact(time))
    }
  }
}
