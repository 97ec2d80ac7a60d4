import Cairn
import Synchronization

/// Counts of what the server does, in the text form of Prometheus 0.0.4.
///
/// Labels are routes as patterns, methods and statuses: nothing that a client or a history named.
package final class Metrics: Sendable {
  private struct Key: Hashable {
    var route: String
    var method: String
    var status: Int
  }

  /// How long the answers of a route took.
  private struct Latency {
    var classes = [UInt64](repeating: 0, count: Metrics.bounds.count + 1)
    var micros: UInt64 = 0
    var count: UInt64 = 0
  }

  private struct State {
    var requests: [Key: UInt64] = [:]
    var latencies: [String: Latency] = [:]
    var dropped: UInt64 = 0
    var appended: UInt64 = 0
    var newRuns: UInt64 = 0
    var mergedHeartbeats: UInt64 = 0
    var verified: Timestamp?
  }

  /// Upper ends of the latency's classes, in microseconds.
  private static let bounds: [UInt64] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000,
  ]

  private let state = Mutex(State())

  package init() {}

  func note(_ entry: RequestLog.Entry) {
    let key = Key(route: entry.route ?? "none", method: entry.method, status: entry.status)
    let micros = UInt64(max(0, entry.micros))
    let place = Self.bounds.firstIndex { micros <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.requests[key, default: 0] += 1
      state.latencies[key.route, default: Latency()].classes[place] += 1
      state.latencies[key.route, default: Latency()].micros += micros
      state.latencies[key.route, default: Latency()].count += 1
    }
  }

  func noteAppended(_ count: Int) { state.withLock { $0.appended += UInt64(max(0, count)) } }

  func noteDropped(_ count: Int) { state.withLock { $0.dropped += UInt64(max(0, count)) } }

  func noteHeartbeat(isNew: Bool) {
    state.withLock { state in
      if isNew { state.newRuns += 1 } else { state.mergedHeartbeats += 1 }
    }
  }

  /// When the store was last verified by this server.
  var verified: Timestamp? { state.withLock { $0.verified } }

  func noteVerified() { state.withLock { $0.verified = .now() } }

  /// Everything that was counted, and how the server stands.
  func text(_ service: Service) throws(CairnError) -> String {
    let state = self.state.withLock { $0 }
    var page = MetricsPage()
    page.begin("cairn_requests_total", "counter", "Requests by route, method and status.")
    let sorted = state.requests.sorted {
      ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
    }
    for (key, count) in sorted {
      let labels = "{route=\"\(key.route)\",method=\"\(key.method)\",status=\"\(key.status)\"}"
      page.line("cairn_requests_total\(labels)", Double(count))
    }
    page.begin("cairn_request_seconds", "histogram", "How long answers took, by route.")
    for (route, latency) in state.latencies.sorted(by: { $0.key < $1.key }) {
      let label = "route=\"\(route)\""
      var sum: UInt64 = 0
      for (bound, count) in zip(Self.bounds, latency.classes) {
        sum += count
        page.line(
          "cairn_request_seconds_bucket{\(label),le=\"\(Double(bound) / 1e6)\"}", Double(sum))
      }
      page.line("cairn_request_seconds_bucket{\(label),le=\"+Inf\"}", Double(latency.count))
      page.line("cairn_request_seconds_sum{\(label)}", Double(latency.micros) / 1e6)
      page.line("cairn_request_seconds_count{\(label)}", Double(latency.count))
    }
    page.value("cairn_appended_events_total", "counter", "Events appended.", state.appended)
    page.value("cairn_heartbeats_new_total", "counter", "Runs begun.", state.newRuns)
    page.value(
      "cairn_heartbeats_merged_total", "counter", "Heartbeats merged.", state.mergedHeartbeats)
    page.value(
      "cairn_dropped_events_total", "counter", "Events that a rule kept from being written.",
      state.dropped)
    if let verified = state.verified {
      page.value(
        "cairn_last_verify_seconds", "gauge", "When the store was last verified.",
        UInt64(max(0, verified.seconds)))
    }
    try page.add(service)
    return page.text
  }
}

private struct MetricsPage {
  private(set) var text = ""

  mutating func begin(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  mutating func line(_ name: String, _ value: Double) {
    let isWhole = value == value.rounded() && abs(value) < 1e15
    text += "\(name) \(isWhole ? String(Int64(value)) : value.description)\n"
  }

  mutating func value(_ name: String, _ type: String, _ help: String, _ value: some BinaryInteger) {
    begin(name, type, help)
    line(name, Double(value))
  }

  /// How the server and its store stand.
  mutating func add(_ service: Service) throws(CairnError) {
    let statistics = try service.store.at().statistics()
    value("cairn_head", "gauge", "The last sequence.", statistics.head)
    value("cairn_store_bytes", "gauge", "Bytes on disk.", statistics.byteCount)
    begin("cairn_projection_lag", "gauge", "Events that a projection lacks.")
    for projection in statistics.projections {
      line("cairn_projection_lag{projection=\"\(projection.name)\"}", Double(projection.lag))
    }
    begin(
      "cairn_consumer_lag", "gauge", "Events that a consumer lacks; numbered as they are listed.")
    for (index, consumer) in service.consumers.list().enumerated() {
      let lag = statistics.head > consumer.through ? statistics.head - consumer.through : 0
      line("cairn_consumer_lag{consumer=\"\(index + 1)\"}", Double(lag))
    }
    value("cairn_queued_requests", "gauge", "Requests that wait for a thread.", service.queuedCount)
    value("cairn_open_requests", "gauge", "Requests in hand or waiting.", service.openCount)
    value("cairn_connections", "gauge", "Open connections.", service.connectionCount)
    value("cairn_feeds", "gauge", "Open feeds.", service.feedCount.open)
    value("cairn_feed_drops_total", "counter", "Feeds that ended early.", service.feedCount.dropped)
    value(
      "cairn_log_dropped_total", "counter", "Lines of the log that nobody took.",
      service.log.writer.droppedCount)
    let running = service.jobs.list().count { $0.state == .running }
    value("cairn_jobs_running", "gauge", "Jobs that run.", running)
    if let free = StoreDisk.freeByteCount(service.store.directory) {
      value("cairn_disk_free_bytes", "gauge", "Room on the store's disk.", free)
    }
  }
}
