import EventLog

extension Store {
  /// Where a server keeps how long open runs are.
  package var runsPath: String { directory + "/" + RunLines.name }

  /// Runs a body while no other process writes, and no purge ends.
  /// - Throws: What the body throws; `busy` when the writer is not free within the store's
  ///   patience, `readOnly`.
  package func withWriterLock<R>(_ body: () throws(CairnError) -> R) throws(CairnError) -> R {
    try log.withWriterLock(wait: patience, body)
  }

  package func isWriterBusy() throws(CairnError) -> Bool {
    do throws(CairnError) {
      try log.withWriterLock(wait: .zero) {}
      return false
    } catch  where error.code == .busy { return true }
  }

  /// Cuts runs at the start of a span that a purge erases, in the files of runs of the store and of
  /// the copies of its log inside it.
  func cutRuns(_ scope: PurgeScope) throws(CairnError) {
    guard let since = scope.spanStart else { return }
    try cutRuns(runsPath, since)
    // Those that cannot be read are told by the receipt.
    _ = try forEachCopyInside { (path, copy) throws(CairnError) in
      if try self.isCopied(to: copy) { try self.cutRuns("\(path)/\(RunLines.name)", since) }
    }
  }

  /// Whether a log is of this history, as far as it goes.
  private func isCopied(to copy: EventLog) throws(CairnError) -> Bool {
    let size = min(try copy.head().sequence, try log.head().sequence)
    return try copy.root(at: size) == log.root(at: size)
  }

  private func cutRuns(_ path: String, _ since: Timestamp) throws(CairnError) {
    // A run has many lines.
    var longest: [UInt64: Int64] = [:]
    try RunLines.limit(path) { (sequence) throws(CairnError) -> Int64 in
      if let known = longest[sequence] { return known }
      var most = Int64.max
      if let time = try event(at: sequence)?.event.time, time < since {
        most = since.microseconds - time.microseconds
      }
      longest[sequence] = most
      return most
    }
  }

  /// What is wrong with the file of runs: damage, and lines of events that are not there.
  func runProblems() throws(CairnError) -> [Verification.Problem] {
    let lines: [UInt8]
    do throws(CairnError) { lines = try RunLines.read(runsPath) } catch
      where error.code == .corrupt
    { return [.init(error, in: RunLines.name)] }
    // Asked after reading: a line comes after its event.
    let head = try log.head().sequence
    var problems: [Verification.Problem] = []
    var number = 0
    try RunLines.forEach(in: lines) { (line, _) throws(CairnError) in
      number += 1
      let message: String
      var event: UInt64?
      switch line {
      case .blank: return
      case .malformed: message = "is no sequence and length; delete the line"
      case .run(let sequence, _):
        event = sequence
        if sequence > head {
          message = "is of an event that the log does not have; delete the line"
        } else if try log.stub(at: sequence) != nil {
          message = "is of an event that was purged; delete the line"
        } else {
          return
        }
      }
      problems.append(
        .init(sequence: event, place: "\(RunLines.name), line \(number)", message: message))
    }
    return problems
  }
}

extension PurgeScope {
  /// From when on everything goes, up to some time or to now; nil where it is anything else.
  package var spanStart: Timestamp? {
    guard case .matching(let criteria) = self else { return nil }
    var all = PurgeCriteria()
    (all.since, all.until) = (criteria.since, criteria.until)
    return criteria == all ? criteria.since : nil
  }
}

extension EventLog {
  /// The runs of a file whose events a log has.
  func knownRuns(_ path: String) throws(CairnError) -> [UInt64: Int64] {
    let head = try head().sequence
    var known: [UInt64: Int64] = [:]
    for (sequence, length) in try RunLines.lengths(path) where sequence <= head {
      if try stub(at: sequence) == nil { known[sequence] = length }
    }
    return known
  }

  /// Takes lines of erased events back in a file of runs.
  /// - Returns: Whether there is such a file.
  @discardableResult func forgetErasedRuns(_ path: String) throws(CairnError) -> Bool {
    try RunLines.forget(path) { (sequence) throws(CairnError) in try stub(at: sequence) != nil }
  }
}
