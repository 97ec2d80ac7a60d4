package import Events

/// Ids for lines that carry none, so that the same file twice adds nothing.
///
/// A line's identity is its bytes and how many equal lines came before it in the same import: two
/// equal lines of a file stay two events. Holds some 40 bytes for each different line.
package struct LineIdentities {
  private let ids: DerivedID
  /// How often each line was seen, by the id that it has the first time.
  private var counts: [EventID: Int] = [:]

  package init(_ ids: DerivedID) { self.ids = ids }

  package mutating func next(_ line: ArraySlice<UInt8>) -> EventID {
    var identity = Identity("ndjson-line")
    identity.add(Array(line))
    let first = ids.make(identity)
    let count = counts[first, default: 0]
    counts[first] = count + 1
    guard count > 0 else { return first }
    identity.add(String(count))
    return ids.make(identity)
  }
}
