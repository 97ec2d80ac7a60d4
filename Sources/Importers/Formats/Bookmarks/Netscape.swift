import Values

/// Bookmarks in HTML, as every browser and bookmark service exports them.
enum Netscape: HistoryFormat {
  static let name = "netscape"
  static let summary = "bookmarks in HTML, from any browser or service"
  static let source = "bookmarks"

  static func recognises(_ file: InputFile) -> Bool {
    let start = file.headText.prefix(2000).lowercased()
    // Google Bookmarks wrote no document type.
    return start.contains("<!doctype netscape-bookmark-file-1")
      || start.contains("<dt><") && start.contains(" add_date=\"")
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard file.headText.lowercased().contains("<a ") || recognises(file) else {
      throw CairnError(.malformed, "is no file of bookmarks in HTML")
    }
    try read(file, as: source, into: events)
  }

  /// Reads every link, as a bookmark of a source.
  static func read(_ file: InputFile, as source: String, into events: Collector)
    throws(CairnError)
  {
    var reader = Reader()
    var tokens = HTMLTokens(try file.bytes())
    do throws(CairnError) {
      while let token = try tokens.next() {
        reader.tag = tokens.tagBytes
        reader.take(token, events)
      }
    } catch {
      // What came whole before stands.
      guard error.code == .malformed else { throw error }
      events.malformed(.record(reader.count), error.message)
    }
    reader.endField()
    reader.pass(events)
    try reader.set.finish(source: source, events)
  }

  private static let depthMax = 100

  /// Where in the row of tokens the reading stands.
  private struct Reader {
    private enum Field { case folder, title, description }

    var set = BookmarkSet()
    /// The names of the folders that are open, from the outside in.
    private var folders: [String] = []
    /// Whether each list that is open is that of a folder with a name.
    private var lists: [Bool] = []
    /// The name of the folder whose list is to come.
    private var named: String?
    private var field: Field?
    private var text: [UInt8] = []
    private var entry: BookmarkSet.Entry?
    /// What stands in the tag that was read last, and in that of the entry.
    var tag: [UInt8] = []
    private var entryTag: [UInt8] = []
    private(set) var count = 0

    mutating func take(_ token: HTMLTokens.Token, _ events: Collector) {
      switch token {
      case .text(let bytes): if field != nil, text.count < 1 << 20 { text += bytes }
      case .tag(let name, let attributes): begin(name, attributes, events)
      case .endTag(let name): end(name, events)
      }
    }

    private mutating func begin(
      _ name: String, _ attributes: [String: String], _ events: Collector
    ) {
      endField(at: name)
      switch name {
      case "h3":
        pass(events)
        field = .folder
      case "dl":
        pass(events)
        let name = named ?? ""
        lists.append(!name.isEmpty)
        if !name.isEmpty { folders.append(name) }
        named = nil
      case "dt": pass(events)
      case "a":
        pass(events)
        begin(attributes, events)
        field = .title
      case "dd": field = .description
      default: break
      }
    }

    private mutating func begin(_ attributes: [String: String], _ events: Collector) {
      let place = RecordPlace.record(count)
      count += 1
      entryTag = tag
      showRecord(to: events)
      defer { events.record = { [] } }
      let tags = (attributes["tags"] ?? "").split(separator: ",").map { CommandText.trimmed($0) }
      // Browsers read both without the blanks around them.
      guard let url = attributes["href"].map({ CommandText.trimmed($0) }) else {
        return events.malformed(place, "no URL")
      }
      guard folders.count <= Netscape.depthMax else {
        return events.malformed(place, "folders deeper than \(Netscape.depthMax) levels")
      }
      entry = BookmarkSet.Entry(
        url: url, time: time(attributes["add_date"] ?? attributes["time_added"]), tags: tags,
        folder: BookmarkSet.folder(folders), place: place)
    }

    /// Seconds, or milliseconds, or microseconds, by their size; 0 is none.
    private func time(_ text: String?) -> Int64? {
      guard let text = text.map({ CommandText.trimmed($0) }) else { return nil }
      guard let value = Int64(text) else {
        // Archives write fractions of seconds, programs of the few a date.
        let seconds = Double(text).flatMap { $0 > 0 ? CivilTime.seconds($0) : nil }
        return seconds ?? CivilTime.iso(text)
      }
      guard value > 0 else { return nil }
      if value >= 100_000_000_000_000 { return value }
      return value >= 100_000_000_000 ? value * 1000 : value * 1_000_000
    }

    private mutating func end(_ name: String, _ events: Collector) {
      endField(at: name)
      guard name == "dl" else { return }
      pass(events)
      if lists.popLast() == true { folders.removeLast() }
    }

    /// A description goes up to any tag, the text of a link or a folder has tags of its own.
    private mutating func endField(at tag: String) {
      if field == .description || Self.parts.contains(tag) { endField() }
    }

    private static let parts: Set = ["a", "dd", "dl", "dt", "h3"]

    mutating func endField() {
      guard let field else { return }
      self.field = nil
      let text = CommandText.trimmed(HTMLText.decode(text))
      self.text = []
      switch field {
      case .folder: named = text
      case .title: entry?.title = text
      case .description: entry?.description = text
      }
    }

    mutating func pass(_ events: Collector) {
      guard let entry else { return }
      showRecord(to: events)
      set.add(entry, events)
      events.record = { [] }
      self.entry = nil
    }

    private func showRecord(to events: Collector) {
      let bytes = entryTag
      events.record = { [UInt8(ascii: "<")] + bytes + [UInt8(ascii: ">")] }
    }
  }
}
