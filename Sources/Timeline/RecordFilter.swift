/// Which records of the timeline are asked for; all conditions must hold.
package struct RecordFilter: Sendable {
  /// Ordinals of the items that an event may be about; few.
  package var items: [UInt32]?
  /// Ordinals of the domains that an event may belong to.
  package var domains: Set<UInt32>?
  /// What happened, by its raw value.
  package var kind: UInt8?
  package var actorHash: UInt32?
  /// First and last microsecond since 1970 at which it may have happened.
  package var times = Int64.min...Int64.max

  package init() {}

  @inline(__always) package func accepts(_ record: TimelineRecord) -> Bool {
    if let items, !items.contains(record.item) { return false }
    if let domains, !domains.contains(record.domain) { return false }
    if let kind, record.kind != kind { return false }
    if let actorHash, record.actorHash != actorHash { return false }
    return times.contains(record.timeMicroseconds)
  }
}
