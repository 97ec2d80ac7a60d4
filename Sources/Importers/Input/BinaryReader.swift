/// Numbers and bytes of a file, one after the other; nil where it ends too early.
struct BinaryReader {
  enum Order { case little, big }

  private let all: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { all = bytes }

  var left: Int { all.count - position }

  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= left else { return false }
    position += count
    return true
  }

  mutating func byte() -> UInt8? {
    guard left > 0 else { return nil }
    position += 1
    return all[position - 1]
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= left else { return nil }
    position += count
    return Array(all[position - count..<position])
  }

  mutating func unsigned(_ count: Int, _ order: Order) -> UInt64? {
    guard count <= left else { return nil }
    var value: UInt64 = 0
    for index in 0..<count {
      let byte = UInt64(all[position + index])
      value = order == .big ? value << 8 | byte : value | byte << UInt64(index * 8)
    }
    position += count
    return value
  }

  mutating func int32(_ order: Order) -> Int32? {
    unsigned(4, order).map { Int32(truncatingIfNeeded: $0) }
  }

  mutating func int64(_ order: Order) -> Int64? { unsigned(8, order).map { Int64(bitPattern: $0) } }
}
