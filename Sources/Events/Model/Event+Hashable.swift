extension Event: Hashable {
  /// Equal field by field, texts by their bytes.
  public static func == (a: Event, b: Event) -> Bool {
    a.kind == b.kind && same(a.item, b.item) && same(a.domain.value, b.domain.value)
      && a.domain.isCleared == b.domain.isCleared && a.all == b.all && a.time == b.time
      && a.recorded == b.recorded && a.id == b.id && same(a.actor, b.actor)
      && same(a.source, b.source) && same(a.session, b.session) && a.attributes == b.attributes
      && a.expires == b.expires && same(a.query, b.query) && a.position == b.position
      && a.shown.elementsEqual(b.shown, by: { same($0, $1) }) && a.dwell == b.dwell
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

  private static func same(_ a: String?, _ b: String?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a.hasBytes(of: b)
    default: false
    }
  }
}

extension Change {
  /// Whether it is `null`.
  var isCleared: Bool { if case .cleared = self { true } else { false } }
}
