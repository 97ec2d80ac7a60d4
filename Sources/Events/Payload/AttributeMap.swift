/// Changes to encoded maps of attributes without building values.
package enum AttributeMap {
  package static let empty: [UInt8] = [0xa0]

  /// The encoded map that `update` makes of `base`: its values replace, its nulls remove, what it
  /// does not name stays.
  ///
  /// Without a base it is the update without its nulls, which is what indexing stores. Canonical if
  /// both are.
  /// - Complexity: O(*n*), one pass over both.
  package static func merging(
    _ base: [UInt8], _ baseRange: Range<Int>, with update: [UInt8], _ updateRange: Range<Int>
  ) -> [UInt8] {
    var old = AttributeCursor(base, baseRange)
    var new = AttributeCursor(update, updateRange)
    var kept = old.next()
    var changed = new.next()
    var members: [UInt8] = []
    members.reserveCapacity(baseRange.count + updateRange.count)
    var count = 0
    while kept != nil || changed != nil {
      let order = order(base, kept?.key, update, changed?.key)
      if order < 0 {
        members.append(contentsOf: base[old.member])
        count += 1
      } else if let changed, changed.value != .null {
        members.append(contentsOf: update[new.member])
        count += 1
      }
      if order <= 0 { kept = old.next() }
      if order >= 0 { changed = new.next() }
    }
    var map: [UInt8] = []
    map.reserveCapacity(members.count + 5)
    map.appendHead(.map, count)
    map.append(contentsOf: members)
    return map
  }

  /// Checks that the bytes are one whole map.
  /// - Throws: `.corrupt`.
  package static func check(_ map: [UInt8]) throws(CairnError) {
    guard map != empty else { return }
    var reader = PayloadReader(at: 0)
    guard try reader.attributes(map.span).upperBound == map.count else {
      throw CairnError(.corrupt, "stored attributes have bytes left over")
    }
  }

  /// Canonical order of two keys, a missing one after all others.
  private static func order(_ base: [UInt8], _ a: Range<Int>?, _ update: [UInt8], _ b: Range<Int>?)
    -> Int
  {
    guard let a else { return 1 }
    guard let b else { return -1 }
    return CanonicalOrder.order(base.span, a, update.span, b)
  }

  /// The payload with the value of one attribute replaced; unchanged when the attribute is not
  /// there or `change` gives nil.
  /// - Throws: for bytes that are no payload, and for a new value that cannot be stored.
  package static func replacing(
    _ name: StaticString, in payload: [UInt8],
    _ change: (AttributeValue) throws(CairnError) -> AttributeValue?
  ) throws(CairnError) -> [UInt8] {
    guard let range = try EventLayout(payload).attributes else { return payload }
    var cursor = AttributeCursor(payload, range)
    let name = Array(name.description.utf8)
    while let (key, value) = cursor.next() {
      guard payload[key].elementsEqual(name) else { continue }
      guard let changed = try change(try AttributeValue(value, payload)) else { return payload }
      var result = Array(payload[..<key.upperBound])
      try result.appendValue(changed, allowsArray: true)
      result.append(contentsOf: payload[cursor.member.upperBound...])
      return result
    }
    return payload
  }
}
