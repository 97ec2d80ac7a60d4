import Foundation
import Testing

/// A store that a newer program wrote is refused as such, and nothing of it is changed.
@Suite struct `Stores of a newer format` {
  /// CRC-32C, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82f6_3b78 : sum >> 1 }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~sum >> (8 * $0)) }
  }

  /// The row of the format as it stands in the file.
  private static func row(_ format: UInt8) -> Data {
    let bytes = Array("format".utf8) + [0, format]
    return Data(bytes + checksum(bytes))
  }

  private static func make() throws -> Store {
    let store = Store("newer")
    try store.append(Data(#"{"kind":"index","item":"a","attributes":{"title":"t"}}"#.utf8))
    let file = URL(filePath: store.path + "/log.mdb")
    var bytes = try Data(contentsOf: file)
    var start = bytes.startIndex
    var count = 0
    for format in 1...8 as ClosedRange<UInt8> {
      while let place = bytes.range(of: row(format), in: start..<bytes.endIndex) {
        bytes.replaceSubrange(place, with: row(9))
        start = place.upperBound
        count += 1
      }
    }
    try #require(count > 0)
    try bytes.write(to: file)
    return store
  }

  @Test(arguments: [
    ["items"], ["search", "t"], ["log"], ["stats"], ["verify"], ["doctor"], ["view", "a"],
    ["purge", "--item", "a", "--yes"], ["rebuild"], ["prove", "inclusion", "1"],
    ["backup", "BACKUP"],
  ]) func `every command refuses one, says what to do and changes nothing`(command: [String]) throws
  {
    let store = try Self.make()
    let before = try Data(contentsOf: URL(filePath: store.path + "/log.mdb"))
    let backup = Scratch.path("backup")
    let result = try store.run(command.map { $0 == "BACKUP" ? backup : $0 })
    #expect(result.status == 65, "\(result.text) \(result.errors)")
    if command != ["doctor"] {
      #expect(result.errors.contains("format 9, this program reads 1 to "), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try Data(contentsOf: URL(filePath: store.path + "/log.mdb")) == before)
    #expect(!FileManager.default.fileExists(atPath: backup + "/log.mdb"))
  }
}
