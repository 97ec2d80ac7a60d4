import Files
package import Values

/// A file that holds others, as exports are downloaded: zip and tar, packed by gzip too; or the
/// folder that came out of Google's.
///
/// Members are unpacked one at a time into a file without a name, known by their content, and read.
package enum Archive {
  static func recognises(_ file: InputFile) -> Bool { recognises(file.head) || isUnpacked(file) }

  /// Whether a file that begins so is zip or tar.
  package static func recognises(_ head: [UInt8]) -> Bool {
    ZipReader.recognises(head) || TarReader.recognises(head)
  }

  private static func isUnpacked(_ file: InputFile) -> Bool {
    file.isFolder && isOfGoogle(file)
  }

  /// Visits the members that are histories, with their formats.
  /// - Returns: Whether some are archives themselves, into which nobody looks.
  /// - Throws: `CairnError` where the archive is damaged, encrypted or means harm; what was visited
  ///   before stands.
  static func forEachHistory(
    of file: InputFile, _ options: ImportOptions,
    _ body: (InputFile, any HistoryFormat.Type) throws(CairnError) -> Void
  ) throws(CairnError) -> Bool {
    var holdsArchives = false
    var limit = UnpackingLimit(archiveByteCount: file.byteCount)
    var databases = ArchivedDatabases()
    func visit(_ name: String, _ content: any ArchiveContent) throws(CairnError) {
      let scratch = try ScratchFile(in: options.scratch)
      let shown = "\(file.path)/\(name)"
      var beginning: [UInt8] = []
      func unpack(_ most: Int) throws(CairnError) {
        while scratch.byteCount < most {
          let piece = try content.next()
          if piece.isEmpty { return }
          if beginning.count < 512 { beginning += piece }
          try limit.add(piece.count)
          try scratch.write(piece)
        }
      }
      try unpack(headByteCount)
      // One block, of which nothing can be unpacked without its end.
      if ByteStream.isBackup(beginning) { try unpack(.max) }
      // Tools write an early time for none, and a file is no younger than what it is packed in.
      let told = content.modified ?? 0
      let modified = (earliest...max(earliest, file.modified)).contains(told) ? told : file.modified
      guard var member = try self.member(shown, at: scratch.path, modified, options)
      else { return }
      databases.noteLog(name, head: member.head)
      holdsArchives = holdsArchives || recognises(member.head)
      // The tables of a database can only be seen when it is whole.
      guard member.isDatabase || HistoryFormats.format(of: member) != nil else { return }
      try unpack(.max)
      member = try InputFile(shown, at: scratch.path, modified: modified, options: options)
      let format = HistoryFormats.format(of: member)
      try databases.note(name, member, isHistory: format != nil)
      if let format { try body(member, format) }
    }
    if file.isFolder {
      try forEachHistory(below: file.path, options, body)
    } else if ZipReader.recognises(file.head) {
      try ZipReader(path: file.place, zone: options.zone).forEach {
        (name, content) throws(CairnError) in
        try visit(name, content)
      }
    } else {
      try TarReader(try file.bytes()).forEach { (name, content) throws(CairnError) in
        try visit(name, content)
      }
    }
    try databases.requireWhole()
    return holdsArchives
  }

  private static func forEachHistory(
    below folder: String, _ options: ImportOptions,
    _ body: (InputFile, any HistoryFormat.Type) throws(CairnError) -> Void
  ) throws(CairnError) {
    var isShut = false
    var databases = ArchivedDatabases()
    try forEachFile(below: folder) { (path) throws(CairnError) in
      do throws(CairnError) {
        guard let member = try self.member(path, at: path, nil, options) else { return }
        let format = HistoryFormats.format(of: member)
        try databases.note(path, member, isHistory: format != nil)
        if let format { try body(member, format) }
      } catch {
        guard error.code == .missing else { throw error }
        isShut = true
      }
    }
    guard !isShut else {
      throw CairnError(.malformed, "holds a file that cannot be opened, which was passed over")
    }
    try databases.requireWhole()
  }

  /// A file of an archive or a folder; nil for one that is packed in another way, or damaged: no
  /// history can be told from it.
  private static func member(
    _ path: String, at place: String, _ modified: Int64?, _ options: ImportOptions
  ) throws(CairnError) -> InputFile? {
    do throws(CairnError) {
      return try InputFile(path, at: place, modified: modified, options: options)
    } catch {
      guard error.code == .malformed else { throw error }
      return nil
    }
  }

  /// Visits the files of a folder and of those in it, without following links; also what has a
  /// name by which it cannot be opened.
  private static func forEachFile(
    below folder: String, depth: Int = 0, _ body: (String) throws(CairnError) -> Void
  ) throws(CairnError) {
    for name in Folder.names(folder) {
      let path = folder + "/" + name
      let status = FileStatus(path, followsLinks: false)
      if status?.isFolder == true, depth < 32 {
        try forEachFile(below: path, depth: depth + 1, body)
      }
      if status?.isFile ?? true { try body(path) }
    }
  }

  /// Whether it is worth a look among other files: what is downloaded comes as zip, Google's also
  /// as tar.
  static func isOffered(_ file: InputFile) -> Bool {
    ZipReader.recognises(file.head) || isUnpacked(file)
      || TarReader.recognises(file.head) && isOfGoogle(file)
  }

  /// Whether an archive has the name that Google gives its own.
  private static func isOfGoogle(_ file: InputFile) -> Bool {
    file.name.lowercased().hasPrefix("takeout")
  }

  /// Whether a member is a history; false for an archive that is damaged before the first one,
  /// unless it is Google's.
  static func holdsHistory(_ file: InputFile, _ options: ImportOptions) -> Bool {
    do throws(CairnError) {
      // The first one ends the search.
      _ = try forEachHistory(of: file, options) { (_, _) throws(CairnError) in
        throw CairnError(.aborted, "found")
      }
      return false
    } catch { return error.code == .aborted || error.code == .malformed && isOfGoogle(file) }
  }

  private static let headByteCount = 1 << 17
  /// 1981-01-01, in microseconds: zip and programs that pack alike twice begin with 1980.
  private static let earliest: Int64 = 347_155_200_000_000
}

/// Whatever an archive holds, where nobody says which.
package enum ArchivedHistories: HistoryFormat {
  package static let name = "archive"
  package static let summary = "the histories in a zip or tar archive"
  /// Any of them may count uses.
  package static let isAggregate = true

  package static func recognises(_ file: InputFile) -> Bool { Archive.recognises(file) }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    throw CairnError(.malformed, "is an archive; unpack it first")
  }
}
