import EventLog

/// What a watcher told, as a view of the log.
package enum WatchedView {
  /// What the source of such a view begins with, before the name of its bucket.
  package static let sourcePrefix = "activitywatch/"
  /// The key of what a view keeps of it.
  package static let key = "activitywatch"
}

extension Event {
  /// Whether it lasts longer than from one time to another.
  func lasts(from time: Timestamp, into start: Timestamp) -> Bool {
    guard let dwell else { return false }
    return (dwell * 1_000_000).rounded() > Double(start.microseconds - time.microseconds)
  }
}

extension Store {
  /// What a log is told anew where a purge of a span takes these events: how long lasted what
  /// began before it, up to where it begins.
  func leftBefore(_ scope: PurgeScope, _ sequences: [UInt64]) throws(CairnError) -> [EncodedEvent] {
    guard let start = scope.spanStart else { return [] }
    let gone = Set(sequences)
    // A server lets go of what stands aside of a run that a purge takes an event of.
    let aside = try RunLines.lengths(runsPath)
    var views: [Event] = []
    var lengths: [UInt64: Event] = [:]
    for sequence in sequences {
      guard let stored = try log.event(at: sequence), [.view, .extend].contains(stored.kind)
      else { continue }
      let event = try LogRecord(stored).event
      if let of = event.extended, event.kind == .extend {
        guard !gone.contains(of), let view = try self.event(at: of)?.event,
          let length = event.shortened(of: view, to: start, aside: aside[of] ?? 0)
        else { continue }
        if length.dwell ?? 0 > lengths[of]?.dwell ?? 0 { lengths[of] = length }
      } else if let time = event.time, time < start {
        views.append(event.cut(sequence, to: start, from: time))
      }
    }
    let events = views + lengths.sorted { $0.key < $1.key }.map(\.value)
    return try events.map { (event) throws(CairnError) in try event.encoded() }
  }
}

extension Event {
  /// What says how long a view became, with no more of it than before a time; nil where the view
  /// did not begin before, or lasts as long by itself.
  ///
  /// Aside of the log it is known to have lasted so many microseconds.
  fileprivate func shortened(of view: Event, to start: Timestamp, aside: Int64) -> Event? {
    guard let time = view.time, time < start, let dwell else { return nil }
    var left = Event(kind: .extend)
    (left.item, left.source, left.extended) = (item, source, extended)
    // Of then: a purge of the same span takes it no second time.
    left.time = time
    left.dwell = min(
      max(dwell, Double(aside) / 1_000_000),
      Double(start.microseconds - time.microseconds) / 1_000_000)
    return left.dwell ?? 0 > view.dwell ?? 0 ? left : nil
  }

  /// The view with no more of it than before a time, under the id that watchers know it by.
  fileprivate func cut(_ sequence: UInt64, to start: Timestamp, from time: Timestamp) -> Event {
    var left = self
    (left.id, left.recorded) = (nil, nil)
    left.dwell = Double(start.microseconds - time.microseconds) / 1_000_000
    if case .object(var kept)? = extras[WatchedView.key] {
      if kept["id"] == nil { kept["id"] = .number(String(sequence)) }
      left.extras[WatchedView.key] = .object(kept)
    }
    return left
  }
}
