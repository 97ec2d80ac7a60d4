/// Packs as LZ4 does: the sequences of a block, with matches wherever there are any.
///
/// The plain form of the algorithm in the format's description, to test its unpacking.
enum LZ4Sample {
  /// A backup as Firefox writes it.
  static func backup(of bytes: [UInt8]) -> [UInt8] {
    let count = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return Array("mozLz40\0".utf8) + count + block(of: bytes)
  }

  static func block(of bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    var start = 0
    var at = 0
    // The last five bytes are literals, and no match begins in the last twelve.
    while at + 12 < bytes.count {
      let key = Array(bytes[at..<at + 4])
      let place = places[key]
      places[key] = at
      guard let place, at - place < 1 << 16 else {
        at += 1
        continue
      }
      var count = 4
      while at + count < bytes.count - 5, bytes[place + count] == bytes[at + count] { count += 1 }
      append(bytes[start..<at], offset: at - place, count: count, to: &packed)
      at += count
      start = at
    }
    append(bytes[start...], offset: nil, count: 4, to: &packed)
    return packed
  }

  private static func append(
    _ literals: ArraySlice<UInt8>, offset: Int?, count: Int, to packed: inout [UInt8]
  ) {
    packed.append(UInt8(min(15, literals.count) << 4 | min(15, count - 4)))
    extend(literals.count, &packed)
    packed += literals
    guard let offset else { return }
    packed += [UInt8(offset & 0xFF), UInt8(offset >> 8)]
    extend(count - 4, &packed)
  }

  private static func extend(_ length: Int, _ packed: inout [UInt8]) {
    guard length >= 15 else { return }
    var rest = length - 15
    while rest >= 255 {
      packed.append(255)
      rest -= 255
    }
    packed.append(UInt8(rest))
  }
}
