import Values

/// `autojump.txt`: weights that grow as the root of the number of visits; no times.
enum Autojump: HistoryFormat {
  static let name = "autojump"
  static let summary = "folders of autojump (autojump.txt)"
  static let isAggregate = true

  static func recognises(_ file: InputFile) -> Bool {
    // Whole numbers before paths are the sizes of files, as `du` prints them.
    file.firstLine.contains("\t")
      && file.firstLine.wholeMatch(of: #/\d+\.[0-9e-]+\t\/.*/#) != nil
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      guard !line.bytes.isEmpty else { return }
      guard let tab = line.bytes.firstIndex(of: 0x09),
        let weight = Double(String(decoding: line.bytes[..<tab], as: UTF8.self))
      else { return events.malformed(place, "no weight and path") }
      try FolderUse(
        path: Array(line.bytes[(tab + 1)...]), visits: (weight / 10) * (weight / 10),
        contentType: "public.folder", place: place
      ).add(source: source, to: events)
    }
  }
}
