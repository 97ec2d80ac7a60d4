extension EventBatch {
  /// Takes in the views of web servers' logs, all files together in the order of time.
  ///
  /// Lines that are no log lines are reported first, in the order in which they stand.
  mutating func readAccessLogs(_ files: [String]) throws(Failure) {
    var log = AccessLogEvents()
    for file in files {
      var reader = try LineReader(file)
      try read(&reader, into: &log)
    }
    try commit()
    guard log.hasViews else { return }
    var number = 0
    try log.forEachEvent(ids: try sink.derivedIDs()) { (line) throws(Failure) in
      number += 1
      add(line[...], place: "view", number: number)
      progress.update(sink.accepted + sink.duplicates + count)
      if isFull { try passOn() }
    }
  }

  private mutating func read(_ reader: inout LineReader, into log: inout AccessLogEvents)
    throws(Failure)
  {
    while true {
      switch try reader.next() {
      case .line(let line):
        guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
        do throws(AccessLogLine.Malformed) { try log.add(line) } catch {
          refuse(line, place: reader.name, number: reader.lineNumber, reason: error.reason)
        }
      case .tooLong:
        refuse([], place: reader.name, number: reader.lineNumber, reason: "the line is too long")
      case .pause: continue
      case .end: return
      }
    }
  }
}
