/// What an event's id is made of: a list of parts, each preceded by its length so that no two lists
/// run together.
///
/// The id itself is a code of these bytes under the store's own key.
package struct Identity: Sendable {
  /// The parts, each after its length in 8 bytes, least significant first.
  package private(set) var bytes: [UInt8] = []
  /// Whether this is a visit of a page, told by what program ever.
  package private(set) var isPageVisit = false
  /// The time that is one of the parts, in microseconds since 1970; nil where none is.
  package private(set) var time: Int64?
  /// Where among the bytes the number of equal ones before it stands; nil where that is no part.
  private(set) var countPlace: Int?

  package init(_ parts: String...) { for part in parts { add(part) } }

  /// Whether it is told by what it is alone, and by how many equal ones stand before it: these may
  /// have other times.
  private(set) var isUntimed = false

  /// What was written of one that is counted.
  init(bytes: [UInt8], countPlace: Int, time: Int64?, isUntimed: Bool) {
    self.bytes = bytes
    self.countPlace = countPlace
    self.time = time
    self.isUntimed = isUntimed
  }

  /// A visit of a page: the same from every program that saw it.
  package static func pageVisit(_ item: String, _ microseconds: Int64) -> Identity {
    var identity = Identity("web-visit", item)
    identity.add(time: microseconds)
    identity.isPageVisit = true
    return identity
  }

  /// Adds a part that is a time, after which ids are then ordered; at most one of a list is.
  package mutating func add(time: Int64) {
    self.time = time
    add(String(time))
  }

  package mutating func add(_ part: String) { add(Array(part.utf8)) }

  package mutating func add(_ part: [UInt8]) { Self.append(part, to: &bytes) }

  /// Adds a part that tells equal records of a file apart: how many stand before this one; at most
  /// once.
  /// - Parameter isUntimed: Whether equal ones may have different times, or none.
  mutating func addCount(isUntimed: Bool = false) {
    countPlace = bytes.count
    self.isUntimed = isUntimed
  }

  /// The parts, the count among them where it is one.
  func bytes(count: Int) -> [UInt8] {
    guard let countPlace else { return bytes }
    var all = Array(bytes[..<countPlace])
    Self.append(Array(String(count).utf8), to: &all)
    return all + bytes[countPlace...]
  }

  private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
    let length = UInt64(part.count)
    for byte in 0..<UInt64(8) { bytes.append(UInt8(truncatingIfNeeded: length >> (byte * 8))) }
    bytes += part
  }
}
