import Values

/// `ril_export.html`, Pocket's export before its last one: lists of links, read and unread.
enum PocketHTML: HistoryFormat {
  static let name = "pocket-html"
  static let summary = "Pocket articles (ril_export.html)"
  static let source = PocketCSV.source

  static func recognises(_ file: InputFile) -> Bool {
    file.holds("<title>Pocket Export</title>")
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard recognises(file) else { throw CairnError(.malformed, "is no export of Pocket in HTML") }
    // Such a link is a bookmark in HTML but for the name of its time.
    try Netscape.read(file, as: source, into: events)
  }
}
