extension Event: Hashable {
  /// Equal field by field, texts by their bytes.
  public static func == (a: Event, b: Event) -> Bool {
    a.kind == b.kind && a.item.hasBytes(of: b.item) && a.domain.value.hasBytes(of: b.domain.value)
      && a.domain.isCleared == b.domain.isCleared && a.all == b.all && a.time == b.time
      && a.recorded == b.recorded && a.id == b.id && a.actor.hasBytes(of: b.actor)
      && a.source.hasBytes(of: b.source) && a.session.hasBytes(of: b.session)
      && a.attributes == b.attributes
      && a.expires == b.expires && a.query.hasBytes(of: b.query) && a.position == b.position
      && a.shown.elementsEqual(b.shown, by: { $0.hasBytes(of: $1) }) && a.dwell == b.dwell
      && a.latency == b.latency && a.deliberate == b.deliberate && a.schema == b.schema
      && a.extras == b.extras
  }

  /// Hashes the fields that mostly tell events apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    item?.hashBytes(into: &hasher)
    hasher.combine(time)
    hasher.combine(recorded)
    hasher.combine(id)
    hasher.combine(attributes)
  }
}

extension Change {
  var isCleared: Bool { if case .cleared = self { true } else { false } }
}
