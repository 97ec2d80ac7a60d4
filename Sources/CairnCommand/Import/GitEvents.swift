/// Writes commits as events: a path that appears is indexed, one that changes is updated, one
/// that goes is deleted.
struct GitEvents {
  let ids: DerivedID
  /// Commit times may run backwards; the order of the history does not.
  private var latest = Int64.min

  init(ids: DerivedID) { self.ids = ids }

  /// Appends one event line for each change of the commit.
  ///
  /// `time` is the commit's own; `recorded` the greatest so far, since the log never goes back.
  /// - Returns: the number of lines.
  mutating func append(_ commit: GitCommit, to lines: inout [UInt8]) -> Int {
    latest = max(latest, commit.time)
    for change in commit.changes {
      lines.append(contentsOf: line(change, of: commit, recorded: latest))
    }
    return commit.changes.count
  }

  private func line(_ change: GitChange, of commit: GitCommit, recorded: Int64) -> [UInt8] {
    var line = JSONLine()
    switch change.kind {
    case .added: line.field("kind", "index")
    case .modified: line.field("kind", "update")
    case .deleted: line.field("kind", "delete")
    }
    line.field("item", change.path)
    if change.kind == .added, let domain = PathDomain.ofFolders(in: change.path[...]) {
      line.field("domain", domain)
    }
    line.field("time", commit.time)
    line.field("recorded", recorded)
    line.field(
      "id",
      ids.make(
        Array("git".utf8), Array(commit.hash.utf8), [change.kind.rawValue], Array(change.path.utf8))
    )
    if !commit.author.isEmpty { line.field("actor", commit.author) }
    line.field("source", "git")
    if change.kind != .deleted {
      line.object("attributes") { attributes in
        if change.kind == .added {
          attributes.field("title", Self.fileName(change.path))
          attributes.field("path", change.path)
        }
        attributes.field("blob", change.blob)
        attributes.field("commit", commit.hash)
        if !commit.subject.isEmpty { attributes.field("subject", commit.subject) }
      }
    }
    line.finish()
    return line.bytes
  }

  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
