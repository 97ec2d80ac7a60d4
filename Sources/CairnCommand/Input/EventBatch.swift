import Cairn
import Importers
import Rows

/// Lines on their way into the store: parsed one by one, committed together, reported in their
/// order.
///
/// A line that is refused, by the parser or by the log, takes no neighbour along.
struct EventBatch: ~Copyable {
  private struct Refused {
    var place: String
    var line: Int
    var reason: String
    var bytes: [UInt8]
  }

  private struct Origin {
    var place: String
    var line: Int
    var bytes: Range<Int>
  }

  /// What was taken since events were last handed to the writer.
  private struct Gathered {
    var events: [EncodedEvent] = []
    var origins: [Origin] = []
    var lines: [UInt8] = []
    var refused: [Refused] = []
    var byteCount = 0
  }

  /// What the writer has in hand.
  private struct Submitted {
    var append: SubmittedAppend?
    var gathered: Gathered
  }

  let sink: EventSink
  var progress = Progress("reading")
  /// The size of all files; nil where nobody knows.
  var inputByteCount: Int?
  /// Bytes of the files that were read whole.
  private var endedByteCount = 0
  /// Gives lines without an id one of their own; nil where they are new events each time.
  private var identities: LineIdentities?
  /// Which events are wanted, of files that are imported.
  private var wanted: WantedLines?
  /// The zone of times that are written without one.
  let zone: TimeZone
  private let derivesIDs: Bool
  private let keepsLines: Bool
  private var parser = EventLineParser()
  private var gathered = Gathered()
  private var submitted: [Submitted] = []
  private var strays = StrayKeys()
  /// What stands above the rows of files that are tables, by their paths.
  private var headers: [String: [UInt8]] = [:]

  /// Memory for one commit, whatever the number of its events.
  static let byteCountMax = 1 << 26

  /// What the writer has in hand at a time: one batch to commit while the one before is folded.
  private static let submittedCountMax = 2

  /// For an import, whose lines without an id are told again by what they say.
  init(_ sink: EventSink, importing options: ImportOptions?) {
    self.sink = sink
    derivesIDs = options != nil
    wanted = options.map { WantedLines($0) }
    zone = options?.zone ?? .chosen
    keepsLines = sink.keepsRejects
  }

  /// How many lines were taken and are not on disk as far as is known.
  var count: Int { submitted.reduce(count(gathered)) { $0 + count($1.gathered) } }
  var isFull: Bool { count(gathered) >= sink.batchCount || gathered.byteCount >= Self.byteCountMax }

  /// Whether the writer has anything in hand.
  var isUnsettled: Bool { !submitted.isEmpty }

  private func count(_ gathered: Gathered) -> Int { gathered.events.count + gathered.refused.count }

  /// Notes what stands above the rows of a table, where refused rows are kept.
  mutating func setHeader(_ header: [UInt8], of place: String) {
    if keepsLines { headers[place] = header }
  }

  /// Takes one line; a blank one is none.
  ///
  /// A row of a table is kept `as` it came where it is refused.
  mutating func add(
    _ line: ArraySlice<UInt8>, place: String, number: Int, as raw: ArraySlice<UInt8>? = nil
  ) throws(Failure) {
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
    gathered.byteCount += line.count
    // An event is the same however its file ends lines.
    let content = line.last == 0x0D ? line.dropLast() : line
    let text: ArraySlice<UInt8>
    var event: EncodedEvent
    do {
      text = try CloudEvent.event(in: content) ?? content
      event = try parser.parse(text.span)
      guard try wanted?.takes(event) ?? true else { return }
    } catch {
      let reason = Self.fault(of: line) ?? error.message
      return refuse(raw ?? line, place: place, number: number, reason: reason)
    }
    strays.look(at: text, place: place, number: number)
    if derivesIDs, event.id == nil { event.id = try derivedID(text) }
    gathered.events.append(event)
    let start = gathered.lines.count
    if keepsLines { gathered.lines.append(contentsOf: raw ?? line) }
    gathered.origins.append(Origin(place: place, line: number, bytes: start..<gathered.lines.count))
  }

  private mutating func derivedID(_ line: ArraySlice<UInt8>) throws(Failure) -> EventID {
    if identities == nil { identities = LineIdentities(try sink.derivedIDs()) }
    return identities?.next(line) ?? EventID.timeOrdered()
  }

  /// What is first to be said of a line that cannot be an event; nil where its first fault is.
  private static func fault(of line: ArraySlice<UInt8>) -> String? {
    let text = line.lazy.filter { ![0x20, 0x09, 0x0D].contains($0) }.prefix(2)
    let first = text.first
    // Anything else in brackets is a line of a log.
    if first == UInt8(ascii: "["), text.dropFirst().allSatisfy({ $0 == UInt8(ascii: "{") }) {
      return "an array; an event is one JSON object, and jq -c '.[]' writes each on a line"
    }
    // What is no JSON at all is told as that.
    guard first == UInt8(ascii: "{"), !line.holds(Array("\"kind\"".utf8)),
      !line.holds(Array("\"specversion\"".utf8)),
      (try? JSONValue(parsing: Array(line).span)) != nil
    else { return nil }
    return "no `kind`: an event says index, update, delete, view, select or impression"
  }

  /// Takes a line that is known to be no event.
  mutating func refuse(_ line: ArraySlice<UInt8>, place: String, number: Int, reason: String) {
    gathered.refused.append(
      Refused(place: place, line: number, reason: reason, bytes: keepsLines ? Array(line) : []))
  }

  /// Says how far reading has come, so many bytes into a file.
  mutating func report(_ fileByteCount: Int) {
    let done = endedByteCount + fileByteCount
    let part = inputByteCount.map { Double(done) / Double(max(1, $0)) }
    progress.update(sink.accepted + sink.duplicates + count, part: part)
  }

  /// Goes on to the next file.
  mutating func endFile(_ fileByteCount: Int) { endedByteCount += fileByteCount }

  /// Takes the progress line away, and says what was taken and will surprise.
  mutating func finish() {
    progress.finish()
    strays.tell()
    guard let skipped = wanted?.skipped, !skipped.isEmpty else { return }
    let reasons = skipped.sorted { $0.key < $1.key }.map {
      "\(Readable.number($0.value)) \($0.key)"
    }
    Diagnostics.line("cairn: left out as asked: \(reasons.joined(separator: ", "))")
  }

  /// Appends what was taken, durably, and reports what was refused.
  mutating func commit() throws(Failure) {
    try submit()
    try settle()
  }

  /// Hands what was taken to the writer, who works on it while the next lines are read.
  ///
  /// Waits for the oldest of what was handed over before when that is enough, so that three batches
  /// are in memory at most.
  mutating func submit() throws(Failure) {
    while submitted.count >= Self.submittedCountMax { try settleOldest() }
    let gathered = self.gathered
    self.gathered = Gathered()
    if let preview = sink.preview {
      for event in gathered.events { try preview.add(event) }
      return submitted.append(Submitted(append: nil, gathered: gathered))
    }
    let last = submitted.last { $0.append != nil }?.append
    if !gathered.events.isEmpty { sayWhatIsKept(through: nil) }
    let append = gathered.events.isEmpty ? nil : try sink.submit(gathered.events, after: last)
    submitted.append(Submitted(append: append, gathered: gathered))
  }

  /// Waits for all that the writer has in hand and reports what was refused of it.
  mutating func settle() throws(Failure) { while !submitted.isEmpty { try settleOldest() } }

  private static func advised(_ reason: String) -> String {
    guard reason == AppendResult.blockedReason else { return reason }
    return "\(reason); \(CairnError.Remedy.unblock.advice)"
  }

  private mutating func settleOldest() throws(Failure) {
    let submitted = self.submitted.removeFirst()
    var refused = submitted.gathered.refused
    if let append = submitted.append {
      let outcomes = try sink.settle(append)
      for (origin, outcome) in zip(submitted.gathered.origins, outcomes) {
        guard case .rejected(let reason) = outcome else { continue }
        refused.append(
          Refused(
            place: origin.place, line: origin.line, reason: Self.advised(reason),
            bytes: Array(submitted.gathered.lines[origin.bytes])))
      }
    }
    let last = submitted.gathered.origins.last
    if isUnsettled || last != nil { sayWhatIsKept(through: isUnsettled ? nil : last) }
    // Lines of one file come in order; refusals by the log are found after those by the parser.
    for refusal in refused.sorted(by: { $0.place == $1.place && $0.line < $1.line }) {
      try sink.report(
        refusal.reason, place: "\(refusal.place):\(refusal.line)", line: refusal.bytes,
        header: headers[refusal.place])
    }
  }

  /// What is said when somebody interrupts from here on.
  ///
  /// What the writer has in hand may be on disk already: then no line is the `last` that is kept.
  private func sayWhatIsKept(through last: Origin?) {
    if derivesIDs { return InterruptNote.setKept(sink.accepted) }
    let kept = "\(Readable.count(sink.accepted, "event")) kept"
    if let last {
      InterruptNote.set("\(kept); go on after line \(Readable.number(last.line)) of \(last.place)")
    } else {
      let known = sink.accepted == 0 ? "what was committed is kept" : "at least \(kept)"
      InterruptNote.set("\(known); to see the last one: cairn log --reverse -n 1")
    }
  }
}

/// Keys that other programs have for a title or a time: they are kept, but search finds nothing by
/// the one, and the event happened when it was recorded.
private struct StrayKeys {
  private var told: [(key: String, line: String)] = []
  private var lookedAt = 0

  /// Lines that are looked at: who writes a file writes them all alike.
  private static let lineCount = 100
  private static let times = ["timestamp", "ts", "datetime", "date"]

  mutating func look(at line: ArraySlice<UInt8>, place: String, number: Int) {
    guard lookedAt < Self.lineCount else { return }
    lookedAt += 1
    // What the parser took is JSON.
    guard let members = JSONObject(json: line) else { return }
    if isTitle(members) {
      tell("title", "\(place):\(number)", "search finds it only as {\"attributes\":{\"title\":…}}")
    }
    if members["time"] == nil, let key = Self.times.first(where: { members[$0] != nil }) {
      tell(key, "\(place):\(number)", "when it happened stands in `time`")
    }
  }

  private func isTitle(_ members: JSONObject) -> Bool {
    guard case .string? = members["title"],
      [.string("index"), .string("update")].contains(members["kind"])
    else { return false }
    if let attributes = members["attributes"]?.object { return attributes["title"] == nil }
    return true
  }

  private mutating func tell(_ key: String, _ place: String, _ advice: String) {
    guard !told.contains(where: { $0.key == key }) else { return }
    told.append((key, "cairn: \(place): `\(key)` is kept as a key of the event's own; \(advice)"))
  }

  func tell() {
    for (_, line) in told { Diagnostics.line(line) }
  }
}
