/// A time as people and programs write it: a moment, or a span such as a day.
///
/// Understood are RFC 3339 times and all their beginnings (`2026`, `2026-11`, `2026-11-20`,
/// `2026-11-20T10:00`, with a blank for `T`), with or without an offset or `UTC`; Unix seconds;
/// `now`, `today`, `yesterday`, `tomorrow`, days of the week, `last monday`, `this week`,
/// `last month`, each day with a clock such as `yesterday 14:30` if wanted; `3pm`; and distances:
/// `2h`, `90d`, `3 days ago`, `in 2 weeks`. Days begin where the zone says; a day of a distance has
/// 24 hours, and months and years are the calendar's.
public struct TimeExpression: Sendable, Hashable {
  /// The first moment that is meant.
  public let start: Timestamp
  /// The last moment that is meant, to the nanosecond: `start` where the text names a moment.
  public let end: Timestamp

  /// What a distance without a direction, such as `2h`, counts from now.
  public enum Direction: Sendable, Hashable {
    /// Before now.
    case back
    /// After now.
    case forward
  }

  /// Reads a text.
  /// - Parameters:
  ///   - text: The text; letter case does not count, but that `3M` is refused: months or minutes?
  ///   - now: The present.
  ///   - zone: Whose clock is meant where the text has no offset.
  ///   - direction: Where a distance without a direction leads.
  /// - Throws: `badArgument` for what is no time. A number that can only be milliseconds or less,
  ///   or a date without its hyphens, is refused by name and never taken for seconds.
  public init(
    _ text: String, now: Timestamp = .now(), zone: CivilZone = .local,
    direction: Direction = .back
  ) throws(CairnError) {
    let reader = TimeReader(now: now, zone: zone, direction: direction)
    guard let span = try reader.read(text) else {
      throw CairnError(
        .badArgument,
        "no time; write 2026-11-20, 2026-11-20T10:00, yesterday, last monday, 3 days ago, 2h or Unix "
          + "seconds")
    }
    start = span.start
    end = span.end
  }
}

extension Timestamp {
  /// A time as people write it, see ``TimeExpression``: the first moment of what is meant.
  /// - Throws: `badArgument` for what is no time.
  public init(
    readable text: String, now: Timestamp = .now(), zone: CivilZone = .local
  ) throws(CairnError) { self = try TimeExpression(text, now: now, zone: zone).start }
}

extension Store {
  /// The store at a point as people write it.
  ///
  /// All digits are a sequence; `head` is the present and `head~3` three events before it; then
  /// come the names of snapshots, then times (``TimeExpression``), of which a span such as a day
  /// means its end, or now while it lasts.
  /// - Throws: `noSuchPoint` for what is none of these, is beyond the head or in the future.
  /// - Note: Blocks the calling thread.
  public func at(
    _ text: String, now: Timestamp? = nil, zone: CivilZone = .local
  ) throws(CairnError) -> Moment { try at(try point(text, zone: zone), now: now) }

  /// The point that a text means, see ``at(_:now:zone:)``.
  /// - Throws: `noSuchPoint` for what is no point, `badArgument` for a number that is no sequence.
  /// - Note: Blocks the calling thread.
  public func point(_ text: String, zone: CivilZone = .local) throws(CairnError) -> Point {
    if let distance = Point.distanceFromHead(text) {
      guard distance > 0 else { return .head }
      let head = try acknowledgedHead()
      guard distance <= head else {
        throw CairnError(.noSuchPoint, "the store has \(head) events, and that is before the first")
      }
      return .sequence(head - distance)
    }
    guard case .snapshot(let name)? = Point(text) else { return Point(text) ?? .snapshot(text) }
    if try snapshot(name) != nil { return .snapshot(name) }
    // As Unix seconds these would be the first years of 1970, and an empty store.
    if let number = Double(text), number.magnitude < 100_000_000 {
      throw CairnError(
        .badArgument,
        "no sequence: that is a whole number without a sign; a time is 2026-11-20T10:00")
    }
    let now = Timestamp.now()
    let meant: TimeExpression
    do { meant = try TimeExpression(text, now: now, zone: zone) } catch {
      throw CairnError(.noSuchPoint, "neither a sequence, a time nor the name of a snapshot")
    }
    return .time(meant.start > now ? meant.start : min(meant.end, now))
  }
}

extension Point {
  /// Whether a text means a point without the help of snapshots, so that none may be called so.
  static func isReserved(_ text: String) -> Bool {
    guard case .snapshot? = Point(text), distanceFromHead(text) == nil else { return true }
    return (try? TimeExpression(text)) != nil
  }

  /// Events before the head, of `head` and `head~N`; nil for any other text.
  static func distanceFromHead(_ text: String) -> UInt64? {
    let word = text.lowercased()
    guard word.hasPrefix("head") else { return nil }
    let rest = word.dropFirst(4)
    if rest.isEmpty { return 0 }
    guard rest.first == "~" else { return nil }
    return rest.count == 1 ? 1 : UInt64(rest.dropFirst())
  }
}
