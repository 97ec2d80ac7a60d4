/// One encoded key with its encoded value inside a buffer.
struct MapMember {
  var key: Int
  var value: Int
  var end: Int

  /// Order of two encoded keys: negative, zero or positive.
  static func order(_ buffer: [UInt8], _ a: MapMember, _ b: MapMember) -> Int {
    CanonicalOrder.order(buffer.span, a.key..<a.value, buffer.span, b.key..<b.value)
  }
}

/// The order of keys in canonical CBOR: that of their bytes, head included.
enum CanonicalOrder {
  /// Negative, zero or positive; both keys with their heads or both without.
  ///
  /// Heads tell lengths, so that the shorter key comes first.
  @inline(__always) static func order(
    _ one: Span<UInt8>, _ a: Range<Int>, _ other: Span<UInt8>, _ b: Range<Int>
  ) -> Int {
    guard a.count == b.count else { return a.count - b.count }
    for offset in 0..<a.count {
      let difference = Int(one[a.lowerBound + offset]) - Int(other[b.lowerBound + offset])
      if difference != 0 { return difference }
    }
    return 0
  }
}

extension [MapMember] {
  /// Puts the members from a place on into canonical order; of those with one key only the last
  /// written stays.
  /// - Returns: Whether each had a key of its own.
  /// - Complexity: O(*n*) for members in order, O(*n* log *n*) for many.
  @discardableResult mutating func makeCanonical(from start: Int, _ buffer: [UInt8]) -> Bool {
    // Few members, or members mostly in order, need no more than insertion.
    if count - start <= 16 {
      for index in start..<count {
        let member = self[index]
        var place = index
        while place > start, MapMember.order(buffer, self[place - 1], member) > 0 {
          self[place] = self[place - 1]
          place -= 1
        }
        self[place] = member
      }
    } else {
      let ordered = self[start...].indices.sorted { a, b in
        let order = MapMember.order(buffer, self[a], self[b])
        return order == 0 ? a < b : order < 0
      }
      replaceSubrange(start..., with: ordered.map { self[$0] })
    }
    return keepLast(from: start, buffer)
  }

  private mutating func keepLast(from start: Int, _ buffer: [UInt8]) -> Bool {
    var kept = start
    for index in start..<count {
      if index + 1 < count, MapMember.order(buffer, self[index], self[index + 1]) == 0 { continue }
      self[kept] = self[index]
      kept += 1
    }
    guard kept < count else { return true }
    removeLast(count - kept)
    return false
  }
}
