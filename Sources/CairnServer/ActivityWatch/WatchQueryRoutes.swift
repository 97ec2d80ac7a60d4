import ActivityWatch
import Cairn
import LMDB

extension Service {
  static let watchQueryRoutes = [
    watch(
      "POST", "/api/0/query", "Ask in ActivityWatch's language",
      [Parameter("name", .text), Parameter("cache", .text)],
      body: .json(limit: ServiceLimits.eventsByteCount), lane: .stream
    ) { (call, watches) throws(Refusal) in
      let object = try call.object()
      guard let periods = object["timeperiods"]?.array, let lines = object["query"]?.array else {
        throw Refusal(400, "malformed", "The body has no timeperiods or no query")
      }
      var text = ""
      for line in lines {
        guard case .string(let line) = line else {
          throw Refusal(400, "malformed", "The lines of a query are texts")
        }
        text += line
      }
      var bytes: [UInt8] = [UInt8(ascii: "[")]
      let memory = QueryMemory()
      // The server lives on, and a query like this one may be the only one of the day.
      defer { if memory.most > 16 << 20 { Environment.releaseFreedMemory() } }
      for (index, period) in periods.enumerated() {
        let (from, to) = try ends(of: period)
        let answer = call.exchange.answer
        let source = WatchSource(watches)
        do throws(QueryFailure) {
          let value = try ActivityQuery.run(
            text, name: call.parameters.text("name") ?? "", from: from, to: to,
            source: source, memory: memory,
            isCancelled: { answer.isClosed })
          if index > 0 { bytes.append(UInt8(ascii: ",")) }
          try value.append(to: &bytes, within: memory)
        } catch {
          if let failure = source.failure { throw Refusal(failure) }
          var refusal = Refusal(400, "badQuery", error.message)
          refusal.kind = error.kind.rawValue
          throw refusal
        }
      }
      bytes.append(UInt8(ascii: "]"))
      return .json(bytes)
    }
  ]

  /// Both ends of `A/B`.
  private static func ends(of period: JSONValue) throws(Refusal) -> (ActivityTime, ActivityTime) {
    if case .string(let text) = period {
      let ends = text.split(separator: "/").map { ActivityTime(String($0)) }
      if ends.count == 2, let from = ends[0], let to = ends[1] { return (from, to) }
    }
    throw Refusal(400, "malformed", "A period is two times in ISO 8601 with a slash between")
  }
}

private final class WatchSource: BucketSource {
  let watches: WatchStore
  /// Why the store has no answer: no fault of the query.
  private(set) var failure: CairnError?

  init(_ watches: WatchStore) { self.watches = watches }

  var buckets: [String] {
    get throws(QueryFailure) { try asking(watches.buckets()).map(\.id) }
  }

  func hostname(of bucket: String) throws(QueryFailure) -> String? {
    try asking(watches.bucket(bucket))?.hostname
  }

  func forEachEvent(
    in bucket: String, from: Int64, to: Int64, _ body: (WatchedEvent) throws(QueryFailure) -> Void
  ) throws(QueryFailure) {
    for entry in try asking(watches.entries(of: bucket, from: from, to: to)) {
      let event = try asking(watches.event(entry, cutTo: from, to))
      if let event { try body(event) }
    }
  }

  func eventCount(in bucket: String, from: Int64, to: Int64) throws(QueryFailure) -> Int {
    try asking(watches.eventCount(of: bucket, from: from, to: to))
  }

  private func asking<R>(_ body: @autoclosure () throws(CairnError) -> R) throws(QueryFailure)
    -> R
  {
    do { return try body() } catch {
      failure = error
      throw .function(error.message)
    }
  }
}
