import Cairn
import CoreSpotlight
import Synchronization

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
    try await queries(engine)
  }

  /// The same searches in turn: the engine's own; through a sequence of results; the engine's own
  /// on another thread; through handlers, which are called on another thread.
  @concurrent private func queries(_ engine: Store) async throws {
    let context = CSUserQueryContext()
    context.maxResultCount = 10
    var samples: [Samples] = []
    // The first pass warms all.
    for _ in 0..<2 {
      samples = Array(repeating: Samples(), count: 4)
      for number in 0..<Self.rounds {
        let text = "lantern \(number * 97 % (Self.batchCount * Self.batches))"
        try samples[0].time { try Self.find(text, in: engine) }
        samples[1].add(try await Self.sequenceMicroseconds(text, context))
        try samples[2].time { try Self.findElsewhere(text, in: engine) }
        samples[3].time { Self.handle(text, context) }
      }
    }
    report("engine-query-micros", samples[0].median)
    report("sequence-query-micros", samples[1].median)
    report("engine-elsewhere-query-micros", samples[2].median)
    report("handler-query-micros", samples[3].median)
  }

  private static func find(_ text: String, in engine: Store) throws {
    var request = SearchRequest(text)
    request.limit = 10
    let found = try engine.at(.head, now: .now()).items(matching: request)
    precondition(!found.isEmpty, "a search found nothing")
  }

  private static func findElsewhere(_ text: String, in engine: Store) throws {
    let done = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.global().async {
      do { try find(text, in: engine) } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private static func sequenceMicroseconds(_ text: String, _ context: CSUserQueryContext)
    async throws -> Double
  {
    let start = ContinuousClock.now
    let query = CSUserQuery(userQueryString: text, userQueryContext: context)
    var count = 0
    for try await _ in query.results { count += 1 }
    precondition(count > 0, "a search found nothing")
    return (ContinuousClock.now - start) / .microseconds(1)
  }

  private static func handle(_ text: String, _ context: CSUserQueryContext) {
    let done = DispatchSemaphore(value: 0)
    let query = CSUserQuery(userQueryString: text, userQueryContext: context)
    query.foundItemsHandler = { precondition(!$0.isEmpty, "a search found nothing") }
    query.completionHandler = { _ in done.signal() }
    query.start()
    done.wait()
    precondition(query.foundItemCount > 0, "a search found nothing")
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
      uniqueIdentifier: "item-\(number)", domainIdentifier: "bench.facade", attributeSet: attributes
    )
  }

  /// What the façade makes of the item of the same number.
  private static func event(_ number: Int) -> Event {
    let tree = ["public.text", "public.content", "public.data", "public.item"]
    return Event(
      kind: .index, item: "item-\(number)", domain: .value("bench.facade"), source: "bench",
      attributes: [
        "title": .string("harbour lantern \(number)"),
        "contentDescription": .string(
          "orchard granite meadow compass thunder velvet \(number % 977)"),
        "keywords": .array([.string("k\(number % 31)")]), "contentType": .string("public.text"),
        "contentTypeTree": .array(tree.map { .string($0) }),
      ], expires: .value(Timestamp(seconds: 4_000_000_000)))
  }
}
