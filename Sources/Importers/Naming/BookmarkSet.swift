import Events
import Values

/// The bookmarks of one file: one `index` for each URL, however often it is filed.
struct BookmarkSet {
  struct Entry {
    var url: String
    var title: String?
    var description: String?
    /// Microseconds since 1970.
    var time: Int64?
    var tags: [String] = []
    /// The path of folders, joined by `/`.
    var folder: String?
    /// What stands in for a title.
    var pageTitle: String?
    var place: RecordPlace
  }

  /// By the bytes of their URLs: texts are equal to Swift that are different URLs.
  private var entries: [[UInt8]: [Entry]] = [:]
  private var order: [[UInt8]] = []

  /// Adds the events of what a reader finds; what came whole before a fault stands.
  static func read(
    source: String, _ events: Collector,
    _ find: (inout BookmarkSet) throws(CairnError) -> Void
  ) throws(CairnError) {
    var set = BookmarkSet()
    var fault: CairnError?
    do throws(CairnError) { try find(&set) } catch { fault = error }
    try set.finish(source: source, events)
    if let fault { throw fault }
  }

  /// Takes an entry, or counts why it is none.
  mutating func add(_ entry: Entry, _ events: Collector) {
    guard events.event(url: entry.url, title: nil, at: entry.place) != nil else { return }
    if let time = entry.time, !CivilTime.isInRange(time) {
      return events.malformed(entry.place, "no time")
    }
    let url = Array(entry.url.utf8)
    if entries[url] == nil { order.append(url) }
    entries[url, default: []].append(entry)
  }

  /// Adds the events, in the order in which their pages first stand in the file.
  func finish(source: String, _ events: Collector) throws(CairnError) {
    for url in order {
      guard let all = entries[url] else { continue }
      // Entries of one time stay as they stand.
      let sorted = all.enumerated().sorted {
        let (a, b) = ($0.element.time ?? .max, $1.element.time ?? .max)
        return a != b ? a < b : $0.offset < $1.offset
      }.map(\.element)
      try finish(sorted, source, events)
    }
  }

  private func finish(_ sorted: [Entry], _ source: String, _ events: Collector) throws(CairnError) {
    guard let first = sorted.first else { return }
    let url = first.url
    let title =
      sorted.lazy.compactMap { $0.title.flatMap(CommandText.nonBlank) }.first ?? first.pageTitle
    guard var event = events.event(url: url, title: title, at: first.place) else { return }
    let tags = Self.union(sorted.flatMap(\.tags))
    let folders = Self.union(sorted.compactMap(\.folder))
    event.kind = .index
    event.time = first.time
    event.identity = Identity("bookmark", source, url, title ?? "")
    for text in folders + [""] + tags { event.identity.add(text) }
    event.set("contentType", "public.bookmark")
    event.set("contentDescription", sorted.lazy.compactMap(\.description).first { !$0.isEmpty })
    event.set("keywords", tags)
    event.set("bookmarkFolders", folders)
    try events.add(event)
  }

  /// Different texts, in the order of their bytes.
  private static func union(_ texts: [String]) -> [String] {
    Set(texts.filter { !$0.isEmpty }.map { Array($0.utf8) })
      .sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// A time in Unix seconds; 0 is none, and what cannot be read lies out of range.
  static func time(seconds text: String?) -> Int64? {
    guard let text else { return nil }
    guard let seconds = Int64(text), let time = CivilTime.scaled(seconds, by: 1_000_000) else {
      return .max
    }
    return time == 0 ? nil : time
  }

  /// A time in ISO 8601; an empty text is none, and what cannot be read lies out of range.
  static func time(iso text: String?) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    return CivilTime.iso(text) ?? .max
  }

  /// A path of folders from their names.
  static func folder(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    return names.map { (name) -> String in
      // Most names have neither, and replacing takes longer than a look.
      let isPlain = !name.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }
      return isPlain ? name : name.replacing("%", with: "%25").replacing("/", with: "%2F")
    }.joined(separator: "/")
  }
}
