import Values

/// `path|rank|time` of z, zsh-z, z.lua and fasd.
enum ZJump: HistoryFormat {
  static let name = "z"
  static let summary = "folders of z, zsh-z, z.lua or fasd (.z, .fasd)"
  static let isAggregate = true

  static func recognises(_ file: InputFile) -> Bool {
    // To make a regular expression takes longer than to look.
    file.firstLine.hasPrefix("/")
      && file.firstLine.wholeMatch(of: #/\/.*\|[0-9.,eE+-]+\|\d+/#) != nil
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      guard !line.bytes.isEmpty else { return }
      // From the right, since paths may hold the bar.
      guard let second = line.bytes.lastIndex(of: UInt8(ascii: "|")),
        let first = line.bytes[..<second].lastIndex(of: UInt8(ascii: "|")),
        let rank = rank(line.bytes[(first + 1)..<second]),
        let seconds = Int64(String(decoding: line.bytes[(second + 1)...], as: UTF8.self))
      else { return events.malformed(place, "no path|rank|time") }
      try FolderUse(
        path: Array(line.bytes[..<first]), visits: rank,
        time: CivilTime.scaled(seconds, by: 1_000_000) ?? .max, place: place
      ).add(source: source, to: events)
    }
  }

  /// A rank, in the way of writing of who used it: mawk puts the comma of the locale.
  private static func rank(_ bytes: ArraySlice<UInt8>) -> Double? {
    let comma = UInt8(ascii: ",")
    return Double(String(decoding: bytes.map { $0 == comma ? 0x2E : $0 }, as: UTF8.self))
  }
}
