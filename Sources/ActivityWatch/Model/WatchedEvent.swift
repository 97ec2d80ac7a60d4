package import Events

/// What a watcher saw for a time: ActivityWatch's event.
///
/// Times are whole milliseconds, as ActivityWatch keeps them; lengths are microseconds, as it
/// computes with them.
package struct WatchedEvent: Sendable {
  /// Its number in its bucket, from 0; nil before it has one.
  package var id: Int?
  /// Microseconds since 1970 in UTC, a multiple of 1,000.
  package var start: Int64
  /// Microseconds, within ``longest`` either way.
  package var duration: Int64
  /// What was seen.
  package var data: JSONObject

  /// The longest an event may last: 10,000 years in microseconds.
  package static let longest: Int64 = 315_576_000_000 * 1_000_000

  /// An event; microseconds below the millisecond of its start are dropped, as aw-core does.
  package init(id: Int? = nil, start: Int64, duration: Int64, data: JSONObject) {
    self.id = id
    self.start = ActivityTime.milliseconds(start)
    self.duration = duration
    self.data = data
  }

  /// Where it ends, in microseconds since 1970.
  package var end: Int64 { start + duration }

  /// As it is before its bucket takes it in; of use also to tell whether two are the same.
  package var withoutID: WatchedEvent { WatchedEvent(start: start, duration: duration, data: data) }
}

extension WatchedEvent {
  /// The event that this one and a heartbeat are together, or nil when the heartbeat begins
  /// another: the rule of aw-core's `heartbeat_merge`.
  ///
  /// The pulsetime is the microseconds that may pass between this event's end and the heartbeat.
  package func merged(with heartbeat: WatchedEvent, pulsetime: Int64) -> WatchedEvent? {
    guard duration >= 0, start <= heartbeat.start, JSONEquality.equal(data, heartbeat.data) else {
      return nil
    }
    let (latest, overflow) = end.addingReportingOverflow(pulsetime)
    guard overflow || heartbeat.start <= latest else { return nil }
    var merged = self
    merged.duration = max(duration, heartbeat.start - start + heartbeat.duration)
    return merged
  }
}

/// Equal when their data means the same.
extension WatchedEvent: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    a.id == b.id && a.start == b.start && a.duration == b.duration
      && JSONEquality.equal(a.data, b.data)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(start)
    hasher.combine(duration)
    JSONEquality.hash(.object(data), into: &hasher)
  }
}

/// Whether two JSON values mean the same: numbers by value, members in any order.
package enum JSONEquality {
  package static func equal(_ a: JSONObject, _ b: JSONObject) -> Bool {
    equal(.object(a), .object(b))
  }

  package static func equal(_ a: JSONValue, _ b: JSONValue) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a == b || ExactNumber(a) == ExactNumber(b)
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { equal($0, $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && zip(a, b).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && equal($0.value, $1.value)
        }
    default: a == b
    }
  }

  fileprivate static func hash(_ value: JSONValue, into hasher: inout Hasher) {
    switch value {
    case .number(let text): hasher.combine(ExactNumber(text))
    case .array(let values): for value in values { hash(value, into: &hasher) }
    case .object(let members):
      for member in members {
        for byte in member.key.utf8 { hasher.combine(byte) }
        hash(member.value, into: &hasher)
      }
    default: hasher.combine(value)
    }
  }
}
