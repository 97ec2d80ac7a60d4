import Cairn
import LMDB

extension Service {
  static let feedRoutes = [
    Route(
      "GET", "/api/v1/feed", .read, "Events as they come (Server-Sent Events)",
      [Parameter("after", .sequence, "Only events after this one"), Parameter("consumer", .text)]
        + feedConditions, lane: .feed, gives: .file([MediaType.events]), run: feed)
  ]

  /// What chooses events: any of those that come several times.
  private static let feedConditions: [Parameter] = FeedFilter.names.map { name in
    Parameter(name, name == "kind" ? .choice(EventKind.names) : .text, repeats: true)
  }

  private static func feed(_ call: Call) throws(Refusal) -> Answer? {
    let consumer = try call.parameters.text("consumer").map { (name) throws(Refusal) in
      try call.service.consumers.consumer(name)
    }
    var filter = consumer?.filter ?? FeedFilter()
    var given = JSONObject()
    for name in FeedFilter.names where call.parameters.text(name) != nil {
      given[name] = .array(call.parameters.texts(name).map(JSONValue.string))
    }
    if !given.isEmpty { filter = try FeedFilter(given) }
    let head = try call.head()
    var start = consumer?.through
    if let after = try call.parameters.sequence("after") { start = after }
    // An empty one names no event.
    let named = call.request.values("last-event-id").filter { !$0.isEmpty }
    if let first = named.first {
      guard named.count == 1, let sequence = Parameters.number(first) else {
        throw .parameter("Last-Event-ID", "takes a sequence number")
      }
      start = sequence
    }
    guard start ?? head <= head else {
      throw Refusal(
        404, "noSuchPoint", "the log ends at \(head): it went back, and what came after is gone")
    }
    let stream = call.exchange.answer
    guard call.service.feedCount.enter(stream) else { throw .tooManyFeeds }
    defer { call.service.feedCount.leave(stream) }
    var feed = Feed(call, filter, after: start ?? head)
    try feed.run(head: head, namesStart: start == nil)
    return nil
  }
}

/// One subscriber's events, in order of sequences, from a sequence on.
private struct Feed {
  private let call: Call
  private let stream: AnswerStream
  private let filter: FeedFilter
  /// Everything up to here was looked at.
  private var position: UInt64
  /// The last sequence that the client was told.
  private var announced: UInt64
  private var lastAnnounced = ContinuousClock.now
  private var lastFrame = ContinuousClock.now
  private var mustTellOfHead = true
  private var bytes: [UInt8] = []
  /// Where the last event begins among them.
  private var eventStart = 0

  private static let checkpointCount: UInt64 = 10_000
  /// Events read at once.
  private static let pageCount: UInt64 = 256
  /// With an event more it still is in a buffer of 32 KiB.
  private static let pieceByteCount = 28 << 10
  /// A large event is sent in pieces of this.
  private static let largePieceByteCount = 64 << 10
  private static let behindCount: UInt64 = 1_000
  private static let checkpointInterval = Duration.seconds(5)
  private static let silence = Duration.seconds(15)
  /// How long a client may take nothing before a large event is let go.
  private static let shortWait = Duration.seconds(1)
  private static let look = Duration.milliseconds(500)

  init(_ call: Call, _ filter: FeedFilter, after sequence: UInt64) {
    self.call = call
    self.filter = filter
    stream = call.exchange.answer
    position = sequence
    announced = sequence
  }

  mutating func run(head: UInt64, namesStart: Bool) throws(Refusal) {
    _ = try call.begin(MediaType.events, [Header("Cairn-Sequence", String(head))])
    put("retry: 2000\n\n")
    // Without an id a browser that is cut off before the first event misses what comes meanwhile.
    if namesStart { checkpoint() }
    try flush()
    do throws(Refusal) { try follow() } catch {
      call.service.feedCount.noteDrop()
      throw error
    }
    put("event: bye\ndata: {}\n\n")
    try flush()
    stream.end()
  }

  /// Until the server is about to end, or the token is taken back.
  private var mayGoOn: Bool { !call.service.isStopping && call.isStillLetIn() }

  /// Sends what there is and what comes.
  private mutating func follow() throws(Refusal) {
    while mayGoOn {
      let head = try call.head()
      if head > position + Self.behindCount { mustTellOfHead = true }
      while position < head, mayGoOn { try page(through: head) }
      if mustTellOfHead, position >= head {
        put("event: caught-up\ndata: {\"head\":\(head)}\n\n")
        mustTellOfHead = false
      }
      try tellOfProgress()
      try flush()
      guard !stream.isClosed else { throw .gone }
      let (known, atMost) = (position, Self.look)
      let logHead = try answering(call.store.wait(after: known, atMost: atMost))
      // An event is in the log a moment before questions see it.
      if logHead > known, try call.head() <= known { ShortPause.take() }
    }
  }

  private mutating func page(through head: UInt64) throws(Refusal) {
    // The timeline is asked for many at once, and its events are read one by one.
    let count = filter.needsTimeline ? Self.checkpointCount : Self.pageCount
    let last = min(head, position + count, max(position + 1, announced + Self.checkpointCount))
    let before = announced
    var mustWait = false
    try answering(
      call.store.forEachRecord(from: position + 1, through: last, passing: filter) {
        (record) throws(CairnError) in
        try add(record)
        guard bytes.count >= Self.pieceByteCount else { return true }
        mustWait = !stream.offer(bytes)
        if !mustWait { forgetSent() }
        return !mustWait && !call.service.isStopping
      })
    if announced > before { lastAnnounced = .now }
    // Told to end: the client resumes after what it was sent.
    if call.service.isStopping { return }
    // What was read does not stand in memory as long as the client takes nothing.
    guard !mustWait else {
      position = announced
      return try flush()
    }
    position = last
    if position - announced >= Self.checkpointCount { checkpoint() }
  }

  private mutating func add(_ record: LogRecord) throws(CairnError) {
    eventStart = bytes.count
    put("id: ")
    JSONText.append(record.sequence, to: &bytes)
    put("\nevent: ")
    put(record.kind.name.description)
    put("\ndata: ")
    try record.appendJSON(to: &bytes)
    put("\n\n")
    announced = record.sequence
  }

  private mutating func checkpoint() {
    put("id: \(position)\nevent: checkpoint\ndata: {}\n\n")
    announced = position
    lastAnnounced = .now
  }

  /// Says how far the feed is when nothing passed for a while, and that it lives.
  private mutating func tellOfProgress() throws(Refusal) {
    let now = ContinuousClock.now
    if announced < position, now - lastAnnounced >= Self.checkpointInterval { checkpoint() }
    if bytes.isEmpty, now - lastFrame >= Self.silence { put(": still here\n\n") }
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func flush() throws(Refusal) {
    guard !bytes.isEmpty else { return }
    if bytes.count <= AnswerStream.outstandingCountMax {
      try stream.write(bytes)
    } else {
      try flushLarge()
    }
    forgetSent()
  }

  /// Sends what ends with a large event.
  ///
  /// The event does not stand in memory as long as the client takes nothing: it is read again then.
  private mutating func flushLarge() throws(Refusal) {
    let eventByteCount = bytes.count - eventStart
    var left = bytes.count
    while left > 0 {
      let piece = Array(bytes.suffix(left).prefix(Self.largePieceByteCount))
      left -= piece.count
      guard !stream.offer(piece, within: Self.shortWait) else { continue }
      bytes = []
      Environment.releaseFreedMemory()
      try stream.write(piece)
      try answering(
        call.store.forEachRecord(from: announced, through: announced, passing: filter) {
          (record) throws(CairnError) in
          try add(record)
          return false
        })
      // It was purged: the client resumes after what it has whole.
      guard bytes.count == eventByteCount else { throw .gone }
    }
  }

  private mutating func forgetSent() {
    // The room that a large event took is not kept.
    bytes.removeAll(keepingCapacity: bytes.count < 2 * Self.pieceByteCount)
    lastFrame = .now
  }
}
