import Cairn

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

  let sink: EventSink
  var progress = Progress("reading")
  private let keepsLines: Bool
  private var events: [EncodedEvent] = []
  private var origins: [Origin] = []
  private var lines: [UInt8] = []
  private var byteCount = 0
  private var refused: [Refused] = []

  /// Memory for one commit, whatever the number of its events.
  static let byteCountMax = 1 << 26

  init(_ sink: EventSink) {
    self.sink = sink
    keepsLines = sink.keepsRejects
  }

  var count: Int { events.count + refused.count }
  var isFull: Bool { count >= sink.batchCount || byteCount >= Self.byteCountMax }

  /// Takes one line; a blank one is none.
  mutating func add(_ line: ArraySlice<UInt8>, place: String, number: Int) {
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
    byteCount += line.count
    do {
      events.append(try EventLine.parse(line))
      let start = lines.count
      if keepsLines { lines.append(contentsOf: line) }
      origins.append(Origin(place: place, line: number, bytes: start..<lines.count))
    } catch {
      refuse(line, place: place, number: number, reason: error.message)
    }
  }

  /// Takes a line that is known to be no event.
  mutating func refuse(
    _ line: ArraySlice<UInt8>,
    place: String,
    number: Int,
    reason: String
  ) {
    refused.append(
      Refused(
        place: place,
        line: number,
        reason: reason,
        bytes: keepsLines ? Array(line) : []
      )
    )
  }

  /// Takes the progress line away.
  mutating func finish() { progress.finish() }

  /// Appends what was taken, durably, and reports what was refused.
  mutating func commit() throws(Failure) {
    defer {
      events.removeAll(keepingCapacity: true)
      origins.removeAll(keepingCapacity: true)
      lines.removeAll(keepingCapacity: true)
      refused.removeAll()
      byteCount = 0
    }
    if !events.isEmpty {
      let outcomes = try sink.append(events)
      for (origin, outcome) in zip(origins, outcomes) {
        guard case .rejected(let reason) = outcome else { continue }
        refused.append(
          Refused(
            place: origin.place,
            line: origin.line,
            reason: reason,
            bytes: Array(lines[origin.bytes])
          )
        )
      }
    }
    // Lines of one file come in order; refusals by the log are found after those by the parser.
    for refusal in refused.sorted(by: { $0.place == $1.place && $0.line < $1.line }) {
      try sink.report(
        refusal.reason,
        place: "\(refusal.place):\(refusal.line)",
        line: refusal.bytes
      )
    }
  }
}
