package import EventLog
import Ranking

/// Why something came to be seen that nobody asked to see; events name it under `transition`.
package enum IncidentalView: String, Sendable, CaseIterable {
  /// It only led somewhere else.
  case redirect
  /// It was there already.
  case reload
  /// It is part of something else.
  case embed
  /// It came by itself.
  case auto
}

/// What an event's unknown keys say about a use, where ranking knows them.
///
/// The log keeps whatever keys an event has; these four mean something here:
///
/// | key | value | what it does |
/// |---|---|---|
/// | `feedback` | `less` | the user asks for less of the item |
/// | `transition` | `redirect`, `reload`, `embed`, `auto` | unasked: `incidentalViewWeight` |
/// | `visits` | a number | so many visits in one event: counts as `UseWeight.aggregate` says |
/// | `device` | a name | where it happened, as evidence for searches there |
package struct UseAnnotations {
  private(set) var isDislike = false
  private(set) var device: String?
  private var isIncidental = false
  private var visits = 1.0

  private init() {}

  /// Reads the keys of a stored event.
  /// - Complexity: O(1) without unknown keys, else O(bytes of them).
  /// - Throws: `.corrupt` for an event that cannot be read.
  package init(_ stored: StoredEvent, _ layout: EventLayout) throws(CairnError) {
    guard layout.extras != nil else { return }
    let keys: JSONObject
    do { keys = try layout.unknownKeys(in: stored.payload) } catch {
      throw CairnError.unreadable(event: stored.sequence)
    }
    isDislike = keys["feedback"] == .string("less")
    if let name = keys["device"]?.string { device = name }
    if let kind = keys["transition"]?.string {
      isIncidental = IncidentalView(rawValue: kind) != nil
    }
    if let count: Double = keys["visits"]?.number() { visits = count }
  }

  static func all(_ events: [StoredEvent], _ layouts: [EventLayout]) throws(CairnError)
    -> [UseAnnotations]
  {
    try events.indices.map { (index) throws(CairnError) in
      layouts[index].extras == nil
        ? UseAnnotations() : try UseAnnotations(events[index], layouts[index])
    }
  }

  package func viewWeight(_ layout: EventLayout) -> Float {
    if isIncidental { return UseWeight.incidental }
    return UseWeight.view(deliberate: layout.deliberate, dwellSeconds: layout.dwell)
      * UseWeight.aggregate(visits)
  }
}
