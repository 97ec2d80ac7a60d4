import Cairn
import Importers
import Rows

/// What an import found and did, for people or for programs.
struct ImportText {
  let json: Bool

  static func writeFormats(json: Bool) throws(Failure) {
    var output = Output()
    let own = EventFile.allCases.map { ($0.rawValue, $0.summary, "cairn") }
    for (name, summary, source) in own
      + HistoryFormats.all.map({ ($0.name, $0.summary, $0.source) })
    {
      try output.row("\(DisplayText.pad(name, 20))  \(summary)", json: json) { line in
        line.field("format", name)
        line.field("summary", summary)
        line.field("source", source)
      }
    }
    try output.flush()
  }

  /// The files with their counts and spans; with events, what would come by kind and domain, the
  /// first rows, how many of them are known, and how many the store would refuse.
  /// - Returns: How many events would be new, at most, and how many a purge blocks.
  func writePlan(_ run: ImportRun, withEvents: Bool, in store: Store?) throws(Failure)
    -> (new: Int, blocked: Int)
  {
    // Only the merge tells which visits two files have, which their counts then lack.
    let plan = try withEvents ? summary(of: run, in: store) : nil
    var output = Output()
    for file in run.files where file.failure == nil { try write(file, to: &output) }
    try plan?.write(json: json, to: &output)
    try output.flush()
    return (plan?.newCount ?? run.count, plan?.blockedCount ?? 0)
  }

  private func summary(of run: ImportRun, in store: Store?) throws(Failure) -> ImportSummary {
    var summary = ImportSummary()
    do throws(MergeError<Failure>) {
      try run.forEachEvent { (entry) throws(Failure) in
        try summary.add(entry.event, at: entry.time, beside: store)
      }
    } catch { throw Failure(error) }
    return summary
  }

  func write(_ file: ImportRun.File, to output: inout Output) throws(Failure) {
    try output.row(Self.line(file), json: json) { line in
      line.field("format", file.format)
      line.field("path", file.path)
      line.field("events", file.events)
      line.field("malformed", file.malformed)
      if let first = file.first { line.field("first", Self.time(first).rfc3339) }
      if let last = file.last { line.field("last", Self.time(last).rfc3339) }
      line.object("skipped") { skipped in
        for (reason, count) in file.skipped.sorted(by: { $0.key < $1.key }) {
          skipped.field(text: reason, count)
        }
      }
    }
  }

  /// One file: `chromium  12,345 events  2019-05-01 – 2026-11-23  ~/.config/…`.
  private static func line(_ file: ImportRun.File) -> String {
    let span =
      if let first = file.first, let last = file.last {
        "\(day(first)) – \(day(last))"
      } else { "no times" }
    let count = DisplayText.padLeft(Readable.number(file.events), 10)
    let noun = file.events == 1 ? "event " : "events"
    var line =
      "\(DisplayText.pad(file.format, 18)) \(count) \(noun)  \(span)  "
      + DisplayText.harmless(file.path)
    if file.malformed > 0 { line += " (\(Readable.number(file.malformed)) refused)" }
    if let left = leftOut(file.skipped) { line += " (\(left))" }
    return line
  }

  /// What was left out and why; nil for nothing.
  static func leftOut(_ skipped: [String: Int]) -> String? {
    guard !skipped.isEmpty else { return nil }
    let left = skipped.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    var reasons = left.prefix(4).map { "\(Readable.number($0.value)) \($0.key)" }
    let others = left.dropFirst(4).reduce(0) { $0 + $1.value }
    if others > 0 { reasons.append("\(Readable.number(others)) for other reasons") }
    return "left out: \(reasons.joined(separator: ", "))"
  }

  private static func time(_ microseconds: Int64) -> Timestamp {
    Timestamp(microseconds: microseconds)
  }

  private static func day(_ microseconds: Int64) -> String {
    String(Readable.time(time(microseconds)).prefix(10))
  }

  /// What was read of each file, after an import; not where a plan has listed them.
  func writeFiles(_ run: ImportRun, isListed: Bool, blocked: Int) throws(Failure) {
    guard run.files.count > 1 && !isListed || blocked > 0 else { return }
    var output = Output()
    if !isListed {
      for file in run.files where file.failure == nil { try output.line(Self.line(file)) }
    }
    if blocked > 0 {
      try output.line(
        "\(Readable.number(blocked)) left out: a purge blocks them (cairn purge --unblock)")
    }
    try output.flush()
  }

  static func confirms() -> Bool {
    Diagnostics.line("To leave some of it out: --except TEXT, --only DOMAIN, --since TIME.")
    return Question.isAgreed("Import these? Type yes or y to go on:")
  }
}
