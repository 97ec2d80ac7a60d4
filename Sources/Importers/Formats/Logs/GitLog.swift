/// One path that one commit added, changed or removed.
struct GitChange: Equatable {
  enum Kind: UInt8 { case added, modified, deleted }

  var kind: Kind
  /// As in the tree; bytes that are not UTF-8 are read as Latin-1.
  var path: String
  /// The object that the path names after the change, empty when it is gone.
  var blob: String
}

/// One commit of the first-parent line.
struct GitCommit: Equatable {
  var hash: String
  /// Committer's time, Unix seconds; the greatest number for what git cannot read as one.
  var time: Int64
  var author: String
  var subject: String
  var changes: [GitChange] = []
}

/// Reads `git log --raw -z` with `GitLog.format`, a piece at a time.
///
/// The stream is a row of NUL-ended fields: a commit is `\u{1}hash time`, author, subject; a
/// change is `:modes blobs letter`, path. Fields are told apart by their place, so a path or a
/// subject may look like anything.
struct GitLog {
  /// The `--format` that this reads.
  static let format = "%x01%H %ct%x00%an%x00%s"

  private enum Expected { case start, author, subject, path(GitChange) }

  private var expected = Expected.start
  private var field: [UInt8] = []
  private var commit: GitCommit?

  /// Takes the next piece of the stream; gives the commits that it completes.
  mutating func read(_ piece: ArraySlice<UInt8>) throws(Malformed) -> [GitCommit] {
    var complete: [GitCommit] = []
    var rest = piece
    while let end = rest.firstIndex(of: 0) {
      field.append(contentsOf: rest[..<end])
      rest = rest[(end + 1)...]
      if let commit = try take() { complete.append(commit) }
      field.removeAll(keepingCapacity: true)
    }
    field.append(contentsOf: rest)
    return complete
  }

  /// Gives the last commit; to be called once, when the stream has ended.
  mutating func finish() throws(Malformed) -> GitCommit? {
    guard field.allSatisfy({ $0 == UInt8(ascii: "\n") }), case .start = expected else {
      throw Malformed()
    }
    defer { commit = nil }
    return commit
  }

  /// The stream is not what `git log` writes.
  struct Malformed: Error {}

  /// Takes a field that is whole; gives the commit that it ends.
  private mutating func take() throws(Malformed) -> GitCommit? {
    switch expected {
    case .author:
      commit?.author = FileItem.text(field)
      expected = .subject
    case .subject:
      commit?.subject = FileItem.text(field)
      expected = .start
    case .path(var change):
      change.path = FileItem.text(field)
      commit?.changes.append(change)
      expected = .start
    case .start:
      // Git writes a newline between a message and its changes.
      let start = field.drop(while: { $0 == UInt8(ascii: "\n") })
      switch start.first {
      case nil: break
      case 0x01:
        let complete = commit
        commit = try Self.header(start.dropFirst())
        expected = .author
        return complete
      case UInt8(ascii: ":"):
        guard commit != nil else { throw Malformed() }
        expected = .path(try Self.change(start.dropFirst()))
      default: throw Malformed()
      }
    }
    return nil
  }

  private static func header(_ field: ArraySlice<UInt8>) throws(Malformed) -> GitCommit {
    let parts = field.split(separator: UInt8(ascii: " "))
    guard let hash = parts.first, parts.count <= 2 else { throw Malformed() }
    // Git says nothing of a time before 1970, and says one that no number holds.
    let time = parts.count == 2 ? Int64(String(decoding: parts[1], as: UTF8.self)) : nil
    return GitCommit(
      hash: String(decoding: hash, as: UTF8.self), time: time ?? .max, author: "", subject: "")
  }

  /// Reads `100644 100755 <old> <new> M`.
  private static func change(_ field: ArraySlice<UInt8>) throws(Malformed) -> GitChange {
    let parts = field.split(separator: UInt8(ascii: " "))
    guard parts.count == 5, let letter = parts[4].first else { throw Malformed() }
    let blob = String(decoding: parts[3], as: UTF8.self)
    switch letter {
    case UInt8(ascii: "A"): return GitChange(kind: .added, path: "", blob: blob)
    case UInt8(ascii: "M"), UInt8(ascii: "T"):
      return GitChange(kind: .modified, path: "", blob: blob)
    case UInt8(ascii: "D"): return GitChange(kind: .deleted, path: "", blob: "")
    default: throw Malformed()
    }
  }
}
