import Events

/// Local history of Visual Studio Code: a folder with one `entries.json` for each file.
enum VSCode: HistoryFormat {
  static let name = "vscode"
  static let summary = "files saved in Visual Studio Code (User/History)"
  static let readsFolders = true

  static func recognises(_ file: InputFile) -> Bool {
    if file.isFolder { return !entries(of: file.path).isEmpty }
    return file.name == "entries.json" && file.headText.contains("\"resource\"")
  }

  /// The files of a folder of folders, in the order of their names.
  private static func entries(of folder: String) -> [String] {
    Folder.names(folder).map { "\(folder)/\($0)/entries.json" }.filter {
      Folder.isReadable($0)
    }
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard file.isFolder else { return try readEntries(file, into: events) }
    let files = entries(of: file.path)
    guard !files.isEmpty else {
      throw CairnError(.malformed, "is no history of Visual Studio Code (no */entries.json)")
    }
    for path in files {
      do throws(CairnError) {
        try readEntries(try InputFile(path, options: events.options), into: events)
      } catch {
        guard error.code == .malformed || error.code == .missing else { throw error }
        events.malformed(.record(0), "\(name(of: path)) \(error.message)")
      }
    }
  }

  /// A file by its name and its folder's.
  private static func name(of path: String) -> String {
    path.split(separator: "/").suffix(2).joined(separator: "/")
  }

  private static func readEntries(_ file: InputFile, into events: Collector) throws(CairnError) {
    let bytes = try file.whole(most: JSONStream.valueByteCountMax)
    guard let document = JSONValue(bytes: bytes),
      let resource = document["resource"]?.string
    else { throw CairnError(.malformed, "is no entries.json of Visual Studio Code") }
    for (index, entry) in (document["entries"]?.elements ?? []).enumerated() {
      let place = RecordPlace.element(index)
      guard var event = events.event(url: resource, title: nil, at: place) else {
        // Not a file here: one word for all its entries.
        return
      }
      guard let milliseconds = entry["timestamp"]?.integer,
        let time = CivilTime.scaled(milliseconds, by: 1000), CivilTime.isInRange(time)
      else {
        events.malformed(place, "no time, in \(name(of: file.path))")
        continue
      }
      event.time = time
      event.identity = Identity(
        source, resource, String(milliseconds), entry["id"]?.string ?? String(index))
      event.set("saveSource", entry["source"]?.string)
      try events.add(event)
    }
  }
}
