import Cairn
import CoreSpotlight
import Foundation

/// Apple's calls beside the engine's own, on the same items and the same searches, in turn.
struct SpotlightBench {
  let directory: String

  private static let batchCount = 10_000
  private static let batches = 10
  private static let rounds = 2_000

  func run() async throws {
    let facade = directory + "/facade"
    // SAFETY: both strings live as long as the call, which copies them.
    unsafe _ = setenv("CAIRN_STORE", facade, 1)
    let engine = try Store.open(at: directory + "/engine")
    defer { engine.close() }
    let index = CSSearchableIndex(name: "bench")
    // The first batch of each opens what the others find open.
    var ours = Samples()
    var theirs = Samples()
    for batch in 0...Self.batches {
      let events = Self.numbers(of: batch).map(Self.event)
      let start = ContinuousClock.now
      try engine.appendBlocking(events)
      let middle = ContinuousClock.now
      let items = Self.numbers(of: batch).map(Self.item)
      let begin = ContinuousClock.now
      index.beginBatch()
      index.indexSearchableItems(items, completionHandler: nil)
      try await index.endBatch(withClientState: Data("\(batch)".utf8))
      let end = ContinuousClock.now
      guard batch > 0 else { continue }
      theirs.add((middle - start) / .microseconds(1))
      ours.add((end - begin) / .microseconds(1))
    }
    report("batch-micros", ours.median)
    report("engine-batch-micros", theirs.median)
    try queries(engine)
  }

  /// Wall time includes the way to the query's thread and back, which the engine's own, called
  /// on the thread that wants the answer, has not; user time is the work itself.
  private func queries(_ engine: Store) throws {
    let context = CSUserQueryContext()
    context.maxResultCount = 10
    let done = DispatchSemaphore(value: 0)
    let texts = (0..<Self.rounds).map {
      "lantern \($0 * 97 % (Self.batchCount * Self.batches))"
    }
    for pass in 0..<2 {
      var theirs = Samples()
      let first = Self.userMicroseconds()
      for text in texts {
        var request = SearchRequest(text)
        request.limit = 10
        var count = 0
        try theirs.time { count = try engine.at(.head, now: .now()).items(matching: request).count }
        precondition(count > 0, "a search found nothing")
      }
      let second = Self.userMicroseconds()
      var ours = Samples()
      let found = Counter()
      for text in texts {
        ours.time {
          let query = CSUserQuery(userQueryString: text, userQueryContext: context)
          query.foundItemsHandler = { found.add($0.count) }
          query.completionHandler = { _ in done.signal() }
          query.start()
          done.wait()
        }
      }
      let third = Self.userMicroseconds()
      precondition(found.count >= texts.count, "a search found nothing")
      // The first pass warms both.
      guard pass > 0 else { continue }
      report("query-micros", ours.median)
      report("engine-query-micros", theirs.median)
      report("query-user-micros", (third - second) / Double(Self.rounds))
      report("engine-query-user-micros", (second - first) / Double(Self.rounds))
    }
  }

  private static func userMicroseconds() -> Double {
    var usage = rusage()
    // SAFETY: fills the structure it is given.
    unsafe _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec) * 1e6 + Double(usage.ru_utime.tv_usec)
  }

  private static func numbers(of batch: Int) -> Range<Int> {
    batch * batchCount..<(batch + 1) * batchCount
  }

  private static func item(_ number: Int) -> CSSearchableItem {
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.title = "harbour lantern \(number)"
    attributes.contentDescription = "orchard granite meadow compass thunder velvet \(number % 977)"
    attributes.keywords = ["k\(number % 31)"]
    return CSSearchableItem(
      uniqueIdentifier: "item-\(number)",
      domainIdentifier: "bench.facade",
      attributeSet: attributes
    )
  }

  /// What the façade makes of the item of the same number.
  private static func event(_ number: Int) -> Event {
    let tree = ["public.text", "public.content", "public.data", "public.item"]
    return Event(
      kind: .index,
      item: "item-\(number)",
      domain: .value("bench.facade"),
      source: "bench",
      attributes: [
        "title": .string("harbour lantern \(number)"),
        "contentDescription":
          .string("orchard granite meadow compass thunder velvet \(number % 977)"),
        "keywords": .array([.string("k\(number % 31)")]),
        "contentType": .string("public.text"),
        "contentTypeTree": .array(tree.map { .string($0) }),
      ],
      expires: .value(Timestamp(seconds: 4_000_000_000))
    )
  }
}

/// Counts what a handler is given on another thread.
private final class Counter: @unchecked Sendable {
  // Safe to share: the semaphore orders the handler's writes before the reader's look.
  private(set) var count = 0
  func add(_ number: Int) { count += number }
}
