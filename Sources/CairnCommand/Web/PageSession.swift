import Cairn
import WebMarkup

/// One import of pages: takes each in, appends what is new, and says what became of all.
final class PageSession {
  private let sink: EventSink?
  private let json: Bool
  var pages: PageImport
  var counts = PageCounts()
  /// The events of a page that wait to be appended.
  private struct Waiting {
    var events: [EncodedEvent]
    var action: PageOutcome.Action
    var url: String
    /// What was read or asked for.
    var source: String

    var place: String { url == source ? source : "\(source): \(url)" }
  }

  /// What waits to be appended, and how many bytes it takes.
  private var waiting: [Waiting] = []
  private var byteCount = 0
  /// The index takes some 60 times the bytes of what is appended together.
  private static let byteCountMax = 3 << 20
  /// What has to be on disk before events are.
  var beforeCommit: () throws(Failure) -> Void = {}
  /// Is told of the source of a page that the store refuses.
  var afterRefusal: (String) -> Void = { _ in }
  private var output = Output()
  private var progress = Progress("pages")
  private var containerFailures = 0
  private var missing: Failure?
  /// Pages that failed and are named, each with its reason.
  private static let reportedFailureCount = 20

  /// Without a sink, it says what would become of each page.
  init(sink: EventSink?, known: KnownPages, json: Bool) {
    self.sink = sink
    self.json = json
    pages = PageImport(known)
  }

  /// Takes in the pages of a file, of an archive or of a folder.
  ///
  /// A source that is missing is said, and the others are read.
  func read(_ source: String, _ files: PageFiles) throws(Failure) {
    let found: [PageFiles.Found]
    do throws(Failure) { found = try PageFiles.files(of: source) } catch { return try note(error) }
    for file in found {
      do throws(Failure) {
        guard file.isPage else {
          try settle(PageOutcome(.skipped, file.path, reason: "no page"), from: file.path)
          continue
        }
        let damage = try files.forEachCapture(of: file.path, inside: file.inside) {
          (capture) throws(Failure) in try self.take(capture, from: file.path)
        }
        if let damage { try reject(file.path, damage) }
      } catch { try note(error) }
    }
  }

  private func note(_ failure: Failure) throws(Failure) {
    guard failure.status == .noInput else { throw failure }
    if missing == nil { missing = failure } else { Diagnostics.line(failure.line ?? "") }
  }

  private func take(_ capture: WARCReader.Capture, from path: String) throws(Failure) {
    switch capture {
    case .page(let source): try settle(try pages.take(WebPage(source)), from: path)
    case .revisit(let url): try settle(PageOutcome(.unchanged, url ?? path), from: path)
    case .refused(let url, let reason):
      try settle(PageOutcome(.rejected, url ?? path, reason: reason), from: path)
    case .other(let url):
      try settle(PageOutcome(.skipped, url ?? path, reason: "no page"), from: path)
    }
  }

  /// Counts what becomes of a page, and appends its events before long.
  func settle(_ outcome: PageOutcome, from path: String) throws(Failure) {
    counts.add(outcome)
    progress.update(counts.pageCount)
    // What could not be read, or has not changed, stays with what it told of.
    if outcome.events.isEmpty, outcome.action != .older { pages.known.meet(outcome.url) }
    let reason = outcome.reason ?? "refused"
    let place = outcome.url == path ? path : "\(path): \(outcome.url)"
    guard let sink else {
      if outcome.action == .rejected { Diagnostics.line("\(place): \(reason)") }
      return try outcome.write(json: json, to: &output)
    }
    if outcome.action == .rejected {
      try sink.report(reason, place: place, line: Array(outcome.url.utf8))
    }
    if outcome.action == .failed, counts[.failed] <= Self.reportedFailureCount {
      Diagnostics.line("\(outcome.url): \(outcome.reason ?? "failed")")
    }
    guard !outcome.events.isEmpty else { return }
    let events = try outcome.events.map { (event) throws(Failure) -> EncodedEvent in
      try answering(event.encoded())
    }
    let size = events.reduce(0) { $0 + $1.payload.count }
    if byteCount + size > Self.byteCountMax { try commit() }
    waiting.append(Waiting(events: events, action: outcome.action, url: outcome.url, source: path))
    byteCount += size
    if waiting.count >= sink.batchCount { try commit() }
  }

  private func reject(_ path: String, _ damage: String) throws(Failure) {
    containerFailures += 1
    progress.finish()
    guard let sink else { return Diagnostics.line("\(path): \(damage)") }
    try sink.report(damage, place: path, line: Array(path.utf8))
  }

  /// Appends what waits; it is on disk then.
  func commit() throws(Failure) {
    guard let sink, !waiting.isEmpty else { return }
    try beforeCommit()
    let batch = waiting
    (waiting, byteCount) = ([], 0)
    let append = try sink.submit(batch.flatMap(\.events), firstWins: true, after: nil)
    var results = try sink.settle(append)[...]
    InterruptNote.setKept(sink.accepted)
    for page in batch {
      try note(page, results.prefix(page.events.count), sink)
      results = results.dropFirst(page.events.count)
    }
  }

  /// Counts what the store made of a page's events.
  private func note(
    _ page: Waiting, _ results: ArraySlice<AppendResult.Outcome>, _ sink: EventSink
  ) throws(Failure) {
    var (isTaken, isDeleted, isBlocked) = (false, false, false)
    var refusal: String?
    for (event, result) in zip(page.events, results) {
      switch result {
      case .appended:
        isTaken = true
        isDeleted = isDeleted || event.kind == .delete
      case .duplicate: break
      case .rejected(AppendResult.blockedReason): isBlocked = true
      // By its schema.
      case .rejected(let reason): refusal = reason
      }
    }
    if isDeleted { counts.deleted += 1 }
    if let refusal {
      counts.replace(page.action, by: .rejected)
      afterRefusal(page.source)
      try sink.report(refusal, place: page.place, line: Array(page.url.utf8))
    } else if isBlocked {
      // What a purge keeps away is asked for whole when it may come back.
      counts.replace(page.action, by: .skipped)
      counts.blocked += 1
      afterRefusal(page.source)
    } else if !isTaken, page.action == .index || page.action == .change {
      // Another import was there first.
      counts.replace(page.action, by: .unchanged)
    }
  }

  /// Appends the rest, says what became of all, and fails where something was refused or missing.
  func finish() throws(Failure) {
    try commit()
    InterruptNote.clear()
    progress.finish()
    try output.flush()
    if let sink {
      sink.close()
      try counts.write(sink, json: json)
    }
    if containerFailures > 0 || counts[.rejected] > 0 {
      if let missing { Diagnostics.line(missing.line ?? "") }
      throw Failure(.data, nil)
    }
    if let missing { throw missing }
    if counts[.failed] > 0 {
      throw Failure(
        .later, "\(Readable.count(counts[.failed], "page")) could not be had now; run it again")
    }
  }
}
