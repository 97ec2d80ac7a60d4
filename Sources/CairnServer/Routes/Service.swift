package import Cairn
import Glibc
import Synchronization

/// What a server is told by its command line.
package struct ServiceOptions: Sendable {
  package var isReadOnly = false
  /// What is wrong with a log that is read all the same, and never written.
  package var damage: CairnError?
  package var allowedHosts: [String] = []
  package var allowedOrigins: [String] = []
  package var hasPublicLog = false
  package var hasPublicMetrics = false
  package var watchMode = WatchMode.off
  package var hasAssistants = false
  package var logLevel = LogLevel.info
  package var logDescriptor = STDERR_FILENO
  package var version = ""

  package init() {}
}

/// Sizes that requests are held to.
package enum ServiceLimits {
  static let jsonByteCount = 1 << 20
  static let eventsByteCount = 16 << 20
  static let importByteCount = 1 << 30
  static let lineByteCount = 4 << 20
  static let threadCount = 32
  static let waitingCount = 256
  static let feedCount = 64
}

/// Answers requests: the rules, the routes and what they share.
package final class Service: Sendable {
  package let store: Store
  package let options: ServiceOptions
  package let tokens: TokenTable
  package let health = StoreHealth()
  package let jobs: JobTable
  package let plans = PurgePlans()
  package let consumers: ConsumerTable
  package let feedCount = FeedCount()
  package let metrics = Metrics()
  package let loginLinks = LoginLinks()
  /// Held by the one import that runs.
  let importLock = ThreadLock()
  let storeIdentity: StoreIdentity
  private let writerWatch = WriterWatch()
  private let connections = Mutex<@Sendable () -> Int>({ 0 })
  /// The buckets of watchers; nil where they are off.
  package let watches: WatchStore?
  package let settings: WatchSettings
  package let rules: WatchRules
  /// Names this store to programs that ask for a device.
  let deviceID: String
  package let log: RequestLog
  package let router: Router
  let hosts: HostRule
  let origins: OriginRule
  private let probes = BlockingThreads(countMax: 2)
  private let watching = BlockingThreads(countMax: ServiceLimits.threadCount)
  private let requests = BlockingThreads(countMax: ServiceLimits.threadCount)
  private let feeds = BlockingThreads(countMax: 2 * ServiceLimits.feedCount)
  private let openRequests = Atomic(0)
  private let stopping = Atomic(false)

  /// - Throws: What the files of tokens and consumers hold that cannot be read.
  package init(store: Store, tokens: TokenTable, options: ServiceOptions) throws(CairnError) {
    jobs = JobTable(health)
    storeIdentity = StoreIdentity(directory: store.directory)
    if !options.isReadOnly { try ServerFiles.clearScratch(of: store.directory) }
    consumers = try ConsumerTable(directory: store.directory)
    watches = options.watchMode == .off ? nil : try WatchStore(store)
    rules = try WatchRules(directory: store.directory)
    settings = WatchSettings(directory: store.directory)
    deviceID = try TokenFile.deviceID(directory: store.directory)
    self.store = store
    self.tokens = tokens
    self.options = options
    log = RequestLog(level: options.logLevel, descriptor: options.logDescriptor)
    hosts = HostRule(allowed: options.allowedHosts)
    origins = OriginRule(allowed: options.allowedOrigins)
    router = Router(Self.routes(options))
  }

  /// Whether the server is about to end: feeds say goodbye.
  package var isStopping: Bool { stopping.load(ordering: .relaxed) }

  /// A folder for what requests need for a while; nothing in it outlives its request.
  var scratchPath: String { "\(store.directory)/\(ServerFiles.scratch)" }

  /// Begins what goes on beside requests.
  func begin() {
    if !options.isReadOnly { writerWatch.begin(store, health) }
    guard let watches else { return }
    // To find what the log has of watchers takes seconds where it is much: the first one of them
    // need not wait for that.
    openRequests.add(1, ordering: .relaxed)
    let isTaken = requests.submit(waitingMax: ServiceLimits.waitingCount) { [self] in
      // Of a failure whoever asks is told, and a server that ends does not wait for the rest.
      try? watches.load { !isStopping }
      if let damage = watches.damage { health.note(Refusal(damage)) }
      openRequests.subtract(1, ordering: .relaxed)
    }
    if !isTaken { openRequests.subtract(1, ordering: .relaxed) }
  }

  package func stop() { stopping.store(true, ordering: .relaxed) }

  /// Waits until nothing goes on beside requests.
  func end() { if !options.isReadOnly { writerWatch.end() } }

  /// Counts events that came in with a request.
  func noteTaken(by intake: borrowing EventIntake) {
    metrics.noteAppended(intake.appendedCount)
    metrics.noteDropped(intake.droppedCount)
    if intake.appendedCount > 0 { health.noteAppended() }
  }

  /// Why not everything can be answered; nil when it can.
  var problem: Refusal? {
    health.problem(freeByteCount: StoreDisk.freeByteCount(store.directory)) ?? tokens.problem
  }

  var connectionCount: Int { connections.withLock { $0 }() }

  /// Says whom to ask for the number of connections.
  func countConnections(_ count: @escaping @Sendable () -> Int) {
    connections.withLock { $0 = count }
  }

  var queuedCount: Int { requests.waitingCount }

  /// How many requests are being answered or wait.
  package var openCount: Int { openRequests.load(ordering: .relaxed) }

  /// Takes a request, to be answered on a thread that may wait.
  /// - Returns: How long the answer may take.
  package func accept(_ exchange: Exchange) -> Route.Lane {
    let destination = Destination(of: exchange.request, router)
    let lane = destination.lane
    let isFeed = lane == .feed
    let threads =
      switch lane {
      case .health: probes
      case .watch: watching
      case .request, .stream: requests
      case .feed: feeds
      }
    if !isFeed {
      exchange.body.wait(apartFrom: threads)
      exchange.answer.wait(apartFrom: threads)
    }
    openRequests.add(1, ordering: .relaxed)
    let isTaken = threads.submit(waitingMax: isFeed ? 0 : ServiceLimits.waitingCount) { [self] in
      guard destination.endsEarly else { return respond(to: exchange, destination) }
      exchange.answer.make { respond(to: exchange, destination) }
    }
    if !isTaken {
      var entry = RequestLog.Entry(exchange.request)
      // What leads nowhere has no pattern.
      entry.route = try? destination.route.get().0.pattern
      exchange.answer.refuse(isFeed ? .tooManyFeeds : .tooMany, to: exchange.request)
      note(&entry, exchange)
      openRequests.subtract(1, ordering: .relaxed)
    }
    return lane
  }

  private func respond(to exchange: Exchange, _ destination: Destination) {
    var reply = Reply(exchange)
    do throws(Refusal) {
      let answer = try answer(&reply, destination)
      guard let later = answer?.later else { return end(reply, .success(answer)) }
      later { [self, reply] result in end(reply, result.map { $0 }) }
    } catch {
      // The code of what was read for nobody.
      let isGone = error.status == 412 && !exchange.answer.isWanted
      end(reply, .failure(isGone ? .gone : error))
    }
  }

  /// Ends a request with its answer; nil for one that was sent already, piece by piece.
  private func end(_ reply: Reply, _ result: Result<Answer?, Refusal>) {
    var entry = reply.entry
    do throws(Refusal) {
      if let answer = try result.get() {
        entry.called = answer.called
        try send(answer, reply)
      }
    } catch { refuse(error, reply) }
    note(&entry, reply.exchange)
    openRequests.subtract(1, ordering: .relaxed)
  }

  private func refuse(_ refusal: Refusal, _ reply: Reply) {
    var refusal = refusal
    if let route = reply.route {
      // What is open to everybody only says how the store is, or that a token cannot be looked up.
      if route.scope != nil { health.note(refusal) }
      if route.part == .interface { refusal = atHead(refusal) }
    }
    // Without them a page may not even read why.
    refusal.headers += reply.extraHeaders
    let exchange = reply.exchange
    if exchange.answer.isUnderWay {
      exchange.answer.abort()
    } else if refusal.status != 0 {
      exchange.answer.refuse(refusal, to: exchange.request)
    }
  }

  /// Counts a request that was answered, and tells the log of it.
  private func note(_ entry: inout RequestLog.Entry, _ exchange: Exchange) {
    entry.finish(exchange.answer.status, exchange.answer.byteCount)
    metrics.note(entry)
    log.write(entry)
  }

  private func send(_ answer: Answer, _ reply: Reply) throws(Refusal) {
    let exchange = reply.exchange
    var headers = answer.headers + reply.extraHeaders
    headers += CommonHeaders.list(requestID: exchange.request.id).filter { header in
      !answer.headers.contains { $0.name == header.name }
    }
    if let type = answer.contentType { headers.append(Header("Content-Type", type)) }
    var sequence = answer.sequence
    if sequence == nil, reply.route?.part == .interface, answer.status < 300 {
      sequence = try answering(store.acknowledgedHead())
    }
    if let sequence { headers.append(Header("Cairn-Sequence", String(sequence))) }
    guard answer.status == 200, ["GET", "HEAD"].contains(exchange.request.method) else {
      return exchange.answer.answer(AnswerHead(answer.status, headers), answer.body)
    }
    var tag = RowTag()
    tag.add(answer.tagged ?? answer.body)
    headers.append(Header("ETag", tag.text))
    if exchange.request.holds(tag.text) {
      return exchange.answer.answer(AnswerHead(304, headers), [])
    }
    exchange.answer.answer(AnswerHead(200, headers), answer.body)
  }
}

/// What is known of an answer before it is there.
struct Reply: Sendable {
  let exchange: Exchange
  var entry: RequestLog.Entry
  /// Headers that it gets whatever becomes of it.
  var extraHeaders: [Header] = []
  /// Where the request leads, once it may.
  var route: Route?

  init(_ exchange: Exchange) {
    self.exchange = exchange
    entry = RequestLog.Entry(exchange.request)
  }
}
