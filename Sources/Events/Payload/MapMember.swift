/// One encoded key with its encoded value inside a buffer.
struct MapMember {
  var key: Int
  var value: Int
  var end: Int
}

extension [UInt8] {
  /// Order of two encoded keys by their bytes: negative, zero or positive.
  func compareKeys(_ a: MapMember, _ b: MapMember) -> Int {
    let common = Swift.min(a.value - a.key, b.value - b.key)
    for offset in 0..<common {
      let first = self[a.key + offset]
      let second = self[b.key + offset]
      if first != second { return Int(first) - Int(second) }
    }
    return (a.value - a.key) - (b.value - b.key)
  }

  /// Whether the members have strictly rising keys.
  func areCanonical(_ members: ArraySlice<MapMember>) -> Bool {
    guard var previous = members.first else { return true }
    for member in members.dropFirst() {
      guard compareKeys(previous, member) < 0 else { return false }
      previous = member
    }
    return true
  }

  /// The members in canonical order; of those with one key only the last written.
  func canonical(_ members: ArraySlice<MapMember>) -> [MapMember] {
    let ordered = members.sorted { a, b in
      let order = compareKeys(a, b)
      return order == 0 ? a.key < b.key : order < 0
    }
    var kept: [MapMember] = []
    kept.reserveCapacity(ordered.count)
    for member in ordered {
      if let last = kept.last, compareKeys(last, member) == 0 {
        kept[kept.count - 1] = member
      } else {
        kept.append(member)
      }
    }
    return kept
  }
}
