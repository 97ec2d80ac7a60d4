import Cryptography
import HashTree
import TestSupport
import Testing

@Suite struct `Hashes` {
  @Test func `a leaf and a node hash the bytes that RFC 6962 names`() {
    var random = SeededGenerator(seed: 5)
    for count in [0, 1, 31, 55, 56, 63, 64, 65, 88, 1022, 1023, 1024, 5000] {
      let entry = random.bytes(count)
      #expect(HashTree.leaf(entry).bytes == SHA256.hash([0x00] + entry).bytes)
      let (left, right) = (random.hash(), random.hash())
      let node = SHA256.hash([0x01] + left.bytes + right.bytes)
      #expect(HashTree.node(left, right) == node)
    }
  }

  @Test func `order, equality and text follow the bytes`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      let a = random.hash()
      var bytes = a.bytes
      bytes[Int.random(in: 0..<32, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      let b = Hash32(bytes: bytes) ?? a
      #expect((a < b) == a.bytes.lexicographicallyPrecedes(bytes))
      #expect((b < a) == bytes.lexicographicallyPrecedes(a.bytes))
      #expect(a != b)
      #expect(Hash32(base64: a.base64) == a)
      #expect(a.withSpan { Hash32($0) } == a)
    }
  }

  @Test(arguments: [0, 1, 31, 33, 64]) func `only 32 bytes make a hash`(count: Int) {
    #expect(Hash32(bytes: [UInt8](repeating: 1, count: count)) == nil)
    #expect(Hash32(base64: Base64.encode([UInt8](repeating: 1, count: count))) == nil)
  }
}
