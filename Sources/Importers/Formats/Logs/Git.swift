import Events
package import Values

/// The first-parent history of a git checkout: a path that appears is indexed, one that changes is
/// updated, one that goes is deleted.
package enum Git: HistoryFormat {
  package static let name = "git"
  package static let summary = "the history of a git checkout"
  package static let readsFolders = true

  package static func recognises(_ file: InputFile) -> Bool {
    guard file.isFolder else { return false }
    let names = Folder.names(file.path)
    // A bare repository is what a checkout has below it.
    let isBare = file.name != ".git" && ["HEAD", "objects", "refs"].allSatisfy(names.contains)
    return isBare || names.contains(".git")
  }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard file.isFolder else {
      throw CairnError(.malformed, "is no git checkout; name the folder of one")
    }
    var log = GitLog()
    var reader = Reader(repository: events.options.repository)
    do throws(CairnError) {
      try GitProcess(file.path).forEachPiece { (piece) throws(CairnError) in
        let commits: [GitCommit]
        do throws(GitLog.Malformed) { commits = try log.read(piece) } catch { throw unreadable }
        for commit in commits { try reader.add(commit, to: events) }
      }
    } catch {
      // What cannot be read may be all of the first commit.
      let isCheckout = error.code == .missing && (try? GitCheckout(file.path)) != nil
      throw isCheckout ? GitProcess.hole : error
    }
    let last: GitCommit?
    do throws(GitLog.Malformed) { last = try log.finish() } catch { throw unreadable }
    if let last { try reader.add(last, to: events) }
  }

  private static let unreadable = CairnError(
    .malformed, "git's answer cannot be read; is this git 2.30 or later?")

  struct Reader {
    /// What the repository's items begin with; nil for the bare paths.
    var repository: RepositoryName?
    /// In microseconds: commit times may run backwards, the order of the history does not.
    var latest = Int64.min
    var count = 0

    mutating func add(_ commit: GitCommit, to events: Collector) throws(CairnError) {
      guard let time = CivilTime.scaled(commit.time, by: 1_000_000),
        time <= Timestamp.latest.microseconds
      else { return events.malformed(.record(count + 1), "no time, in commit \(commit.hash)") }
      latest = max(latest, time)
      for change in commit.changes {
        count += 1
        try events.add(event(change, of: commit, at: time))
      }
    }

    private func event(_ change: GitChange, of commit: GitCommit, at time: Int64) -> ImportedEvent {
      let isAdded = change.kind == .added
      var identity = Identity(Git.name, commit.hash)
      identity.add([change.kind.rawValue])
      identity.add(change.path)
      let fileName = change.path.split(separator: "/").last.map(String.init) ?? change.path
      let folders = isAdded ? DomainPath.folders(of: change.path[...]) : nil
      var event = ImportedEvent(
        isAdded ? .index : change.kind == .modified ? .update : .delete,
        item: repository?.item(of: change.path) ?? change.path,
        domain: isAdded ? repository?.domain(of: folders) ?? folders : nil,
        time: time, title: isAdded ? fileName : nil, identity: identity,
        place: .record(count))
      event.order = latest
      event.actor = commit.author.isEmpty ? nil : commit.author
      guard change.kind != .deleted else { return event }
      if isAdded { event.set("path", change.path) }
      event.set("blob", change.blob)
      event.set("commit", commit.hash)
      event.set("subject", commit.subject)
      return event
    }
  }
}
