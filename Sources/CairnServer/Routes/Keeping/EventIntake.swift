import Cairn
import Importers
import Rows

/// Events on their way from a request into the log, and what became of each.
///
/// One that is refused, by the parser or by the log, takes no neighbour along.
struct EventIntake: ~Copyable {
  private struct Reject {
    var place: RecordPlace
    var reason: String
  }

  let store: Store
  private let rules: WatchRules
  /// What the one who sends may do.
  private let scope: Scope
  /// What the log has to end at before the first commit that appends.
  private var expected: UInt64?
  private var parser: EventLineParser
  private var events: [EncodedEvent] = []
  /// Where each of them stood.
  private var origins: [RecordPlace] = []
  private var byteCount = 0
  private var submitted: [(append: SubmittedAppend, origins: [RecordPlace])] = []

  /// Which events of a file are wanted; nil: all.
  var wanted: WantedLines?

  /// Gives lines without an id one by what they say; nil: they are new events each time.
  var identities: LineIdentities?

  /// Whether an event whose id is there is a duplicate, whatever else it says.
  var firstWins = false

  private var accepted = 0
  private var duplicates = 0
  private var rejected = 0
  private var firstSequence: UInt64?
  private var lastSequence: UInt64?
  /// Why searches do not know the events yet.
  private var projectionFailure: CairnError?
  private var rejects: [Reject] = []
  /// Events that a rule kept from being written.
  private(set) var droppedCount = 0
  /// Events of watchers that came while these are not heard.
  private var unheardCount = 0

  /// Events of one commit, and bytes of them; three of them stand in memory at most.
  private let batchCount: Int
  private let batchByteCount: Int
  /// Refused events that are told one by one.
  static let rejectsMax = 1_000

  /// Takes events of a request.
  ///
  /// Those of a file make commits a quarter as large, beside the reading of it, which needs memory
  /// too, and nest as deep as any log holds them.
  init(_ call: Call, expecting: UInt64? = nil, ofFile isOfFile: Bool = false) {
    batchCount = isOfFile ? 8_192 : 32_768
    batchByteCount = isOfFile ? 4 << 20 : 16 << 20
    parser = EventLineParser(
      refusesDuplicateKeys: true, depthMax: isOfFile ? EventLimits.depth : JSONBody.depthMax)
    store = call.store
    rules = call.service.rules
    scope = call.identity?.scope ?? .ingest
    expected = expecting
  }

  /// Takes one event; what is no event is refused and counted, a blank line passed over.
  /// - Throws: 403 for an event of a kind that the token may not record.
  mutating func add(_ bytes: ArraySlice<UInt8>, line: Int) throws(Refusal) {
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
    let bytes = line == 1 ? ByteOrderMark.dropped(from: bytes) : bytes
    let text: ArraySlice<UInt8>
    var event: EncodedEvent
    do throws(CairnError) {
      // What a rule drops is told as taken: who sent it has nothing to do about it.
      guard let allowed = rules.applied(to: try CloudEvent.event(in: bytes) ?? bytes) else {
        accepted += 1
        droppedCount += 1
        return
      }
      text = allowed
      event = try parser.parse(text.span)
      guard try wanted?.takes(event) ?? true else { return }
    } catch {
      let offset = error.offset.map { " (byte \($0))" } ?? ""
      return refuse(.line(line), error.message + offset)
    }
    try check(event.kind, line)
    guard scope != .ingest || !rules.isPaused else {
      accepted += 1
      unheardCount += 1
      return
    }
    if event.id == nil { event.id = identities?.next(text) }
    add(event, at: .line(line))
  }

  private func check(_ kind: EventKind, _ line: Int) throws(Refusal) {
    let needed = Scope.needed(toRecord: kind)
    guard !scope.allows(needed) else { return }
    throw Refusal(
      403, "scope",
      "the token allows \(scope.rawValue); recording a \(kind.name) takes \(needed.rawValue)",
      place: "line \(line)")
  }

  /// Takes one that another program's history holds.
  mutating func add(imported event: EncodedEvent, at place: RecordPlace) throws(CairnError) {
    switch try rules.verdict(on: event) {
    case .asItIs: add(event, at: place)
    case .dropped:
      accepted += 1
      droppedCount += 1
    case .changed(let line):
      do throws(CairnError) { add(try parser.parse(line.span), at: place) } catch {
        refuse(place, error.message)
      }
    }
  }

  private mutating func add(_ event: EncodedEvent, at place: RecordPlace) {
    events.append(event)
    origins.append(place)
    byteCount += event.payload.count
  }

  /// Counts what is no event, and says why as long as there are not too many.
  mutating func refuse(_ place: RecordPlace, _ reason: String) {
    rejected += 1
    if rejects.count < Self.rejectsMax { rejects.append(Reject(place: place, reason: reason)) }
  }

  /// Counts records that are no events and are not told one by one.
  mutating func count(refused count: Int) { rejected += count }

  /// Takes every line of a body, committing as they come.
  mutating func take(_ lines: inout BodyLines) throws(Refusal) {
    while let line = try lines.next() {
      try add(line, line: lines.lineNumber)
      // While the client pauses, what it sent goes to the disk.
      if isFull || (submitted.isEmpty && !lines.hasMore) { try submit() }
    }
    try finish()
  }

  /// Whether what was taken is enough for a commit.
  var isFull: Bool { events.count >= batchCount || byteCount >= batchByteCount }

  /// Commits what was taken and waits for it.
  mutating func finish() throws(Refusal) {
    try submit()
    while !submitted.isEmpty { try settleOldest() }
  }

  /// Counts what is under way after something else failed.
  /// - Returns: The failure, with what became of all.
  mutating func settle(after failure: Refusal, for service: Service) -> Refusal {
    while !submitted.isEmpty { do { try settleOldest() } catch {} }
    service.noteTaken(by: self)
    var refusal = failure
    refusal.members = members
    return refusal
  }

  /// Hands what was taken to the writer.
  mutating func submit() throws(Refusal) {
    guard !events.isEmpty else { return }
    let (batch, lines) = (events, origins)
    (events, origins, byteCount) = ([], [], 0)
    if let expecting = expected {
      let result = try answering(store.appendBlocking(encoded: batch, expecting: expecting))
      if result.firstSequence != nil { expected = nil }
      return count(result, lines)
    }
    while submitted.count >= 2 { try settleOldest() }
    let last = submitted.last?.append
    let append = try answering(store.submit(encoded: batch, firstWins: firstWins, after: last))
    submitted.append((append, lines))
  }

  private mutating func settleOldest() throws(Refusal) {
    let (append, lines) = submitted.removeFirst()
    count(try answering(append.wait()), lines)
  }

  private mutating func count(_ result: AppendResult, _ lines: [RecordPlace]) {
    accepted += result.acceptedCount
    duplicates += result.duplicateCount
    firstSequence = firstSequence ?? result.firstSequence
    lastSequence = result.lastSequence ?? lastSequence
    projectionFailure = result.projectionFailure ?? projectionFailure
    for (line, outcome) in zip(lines, result.outcomes) {
      if case .rejected(let reason) = outcome { refuse(line, reason) }
    }
  }

  var appendedCount: Int { accepted - droppedCount - unheardCount }

  /// What became of all, as `append` says it, and why some were refused.
  var members: [(name: StaticString, json: [UInt8])] {
    let listed = rejects.sorted { $0.place.number < $1.place.number }
    return [
      ("accepted", Self.number(accepted)), ("duplicates", Self.number(duplicates)),
      ("rejected", Self.number(rejected)), ("firstSequence", Self.number(firstSequence)),
      ("lastSequence", Self.number(lastSequence)),
      (
        "rejects",
        JSONLine.array(listed) { line, reject in
          line.field("line", reject.place.number)
          if reject.place.unit != .line { line.field("place", "\(reject.place)") }
          line.field("reason", reject.reason)
        }
      ),
    ]
  }

  private static func number(_ value: (some BinaryInteger)?) -> [UInt8] {
    Array((value.map { String($0) } ?? "null").utf8)
  }

  var answer: Answer {
    let isRefused = rejected > 0 && accepted + duplicates == 0
    let (members, projectionFailure) = (members, projectionFailure)
    return .object(isRefused ? 422 : 200, at: lastSequence) { line in
      for (name, json) in members { line.field(name, json: json) }
      if let projectionFailure { line.field("projectionFailure", "\(projectionFailure)") }
    }
  }
}

/// The lines of a body, which may be of any length.
struct BodyLines: ~Copyable {
  private let body: RequestBody
  private var lines = LineBuffer(byteCountMax: ServiceLimits.lineByteCount)
  private var hasEnded = false
  private var waited = Duration.zero

  init(_ body: RequestBody) { self.body = body }

  /// Of the line that came last, from 1.
  var lineNumber: Int { lines.lineNumber }

  /// Whether another line can be had without waiting.
  var hasMore: Bool { hasEnded || lines.hasLine || body.hasPieces }

  /// The next line without its newline; nil at the end.
  /// - Throws: 413 for a line longer than 4 MiB, and what `RequestBody.read` throws.
  mutating func next() throws(Refusal) -> ArraySlice<UInt8>? {
    while true {
      if let line = lines.next(last: hasEnded) {
        guard !line.isTooLong else { throw Self.tooLong(lineNumber) }
        return line.bytes.last == 0x0D ? line.bytes.dropLast() : line.bytes
      }
      guard !lines.isTooLong else { throw Self.tooLong(lineNumber + 1) }
      if hasEnded { return nil }
      if let piece = try body.read(waited: &waited) { lines.append(piece) } else { hasEnded = true }
    }
  }

  static func tooLong(_ line: Int) -> Refusal {
    Refusal(
      413, "tooLarge", "a line is longer than \(ServiceLimits.lineByteCount) bytes",
      place: "line \(line)")
  }
}
