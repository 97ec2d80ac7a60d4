extension EventBatch {
  /// Takes in every change of a git history.
  mutating func read(_ git: GitProcess, name: String) throws(Failure) {
    var log = GitLog()
    var commits: [GitCommit] = []
    var events: GitEvents?
    var line = 0
    // A closure that throws cannot borrow the batch while git is being read: commits are
    // collected for a piece of git's output and taken in before the next is read.
    try git.forEachPiece { (piece) throws(Failure) in
      do { try log.read(piece) { commits.append($0) } } catch { throw Self.unreadable(name) }
      for commit in commits { try take(commit, &events, &line, name: name) }
      commits.removeAll(keepingCapacity: true)
    }
    do { try log.finish { commits.append($0) } } catch { throw Self.unreadable(name) }
    for commit in commits { try take(commit, &events, &line, name: name) }
  }

  private static func unreadable(_ name: String) -> Failure {
    Failure(.data, "git's answer cannot be read; is this git 2.30 or later?", place: name)
  }

  private mutating func take(
    _ commit: GitCommit, _ events: inout GitEvents?, _ line: inout Int, name: String
  ) throws(Failure) {
    var lines: [UInt8] = []
    if events == nil { events = GitEvents(ids: try sink.derivedIDs()) }
    _ = events?.append(commit, to: &lines)
    for event in lines.split(separator: UInt8(ascii: "\n")) {
      line += 1
      add(event, place: name, number: line)
      if isFull { try passOn() }
    }
    progress.update(sink.accepted + sink.duplicates + count)
  }
}
