import TestSupport
import Testing

@testable import LMDB

@Suite struct ChecksumTests {
  /// RFC 3720 §B.4 and the check value of the CRC catalogue.
  static let vectors: [([UInt8], UInt32)] = [
    (Array("123456789".utf8), 0xE306_9283), ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E),
    (Array((0..<32).reversed()), 0x113F_DB5C), ([], 0),
  ]

  @Test(arguments: vectors) func `CRC-32C gives the published values`(bytes: [UInt8], sum: UInt32) {
    #expect(CRC32C.checksum(bytes.rawSpan) == sum)
    #expect(tableChecksum(bytes) == sum)
  }

  private func tableChecksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe CRC32C.tableChecksum($0, seed: 0) }
  }

  @Test func `instruction and table agree at every length, start and cut`() {
    var random = SeededGenerator(seed: 11)
    let bytes = random.bytes(300)
    for start in 0..<9 {
      for count in 0...200 {
        let part = Array(bytes[start..<start + count])
        let sum = bytes.rawSpan.extracting(start..<start + count)
        let table = tableChecksum(part)
        #expect(CRC32C.checksum(sum) == table)
        let cut = count / 3
        let head = CRC32C.checksum(sum.extracting(..<cut))
        #expect(CRC32C.checksum(sum.extracting(cut...), seed: head) == table)
      }
    }
  }
}
