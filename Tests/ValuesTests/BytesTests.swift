import TestSupport
import Testing
import Values

@Suite struct BytesTests {
  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 1 << 32, .max - 1, .max] as [UInt64])
  func `numbers come back from a varint`(value: UInt64) throws {
    var writer = ByteWriter()
    writer.appendVarint(value)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readVarint() == value)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
  }

  @Test(
    arguments: [
      [0x80], [0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 10) + [1],
      [UInt8](repeating: 0x80, count: 9) + [2], [],
    ] as [[UInt8]]) func `a varint that does not end or fit is corrupt`(bytes: [UInt8])
  {
    expectError(.corrupt) {
      var reader = ByteReader(bytes.rawSpan)
      _ = try reader.readVarint()
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `what a writer writes a reader reads`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var writer = ByteWriter(capacity: 16)
    var plan: [(kind: UInt64, value: UInt64, bytes: [UInt8])] = []
    for _ in 0..<200 {
      let step = (
        kind: random.next() % 8, value: random.next(), bytes: random.bytes(Int(random.next() % 40))
      )
      plan.append(step)
      switch step.kind {
      case 0: writer.append(UInt8(truncatingIfNeeded: step.value))
      case 1: writer.appendBigEndian(UInt16(truncatingIfNeeded: step.value))
      case 2: writer.appendBigEndian(UInt32(truncatingIfNeeded: step.value))
      case 3: writer.appendBigEndian(step.value)
      case 4: writer.appendLittleEndian(UInt32(truncatingIfNeeded: step.value))
      case 5: writer.appendLittleEndian(step.value)
      case 6: writer.appendVarint(step.value >> (step.value & 63))
      default: writer.append(step.bytes)
      }
    }
    let copy = writer.array()
    #expect(copy.count == writer.count)
    var reader = ByteReader(copy.rawSpan)
    for step in plan {
      switch step.kind {
      case 0: #expect(try reader.readUInt8() == UInt8(truncatingIfNeeded: step.value))
      case 1: #expect(try reader.readBigEndian16() == UInt16(truncatingIfNeeded: step.value))
      case 2: #expect(try reader.readBigEndian32() == UInt32(truncatingIfNeeded: step.value))
      case 3: #expect(try reader.readBigEndian64() == step.value)
      case 4: #expect(try reader.readLittleEndian32() == UInt32(truncatingIfNeeded: step.value))
      case 5: #expect(try reader.readLittleEndian64() == step.value)
      case 6: #expect(try reader.readVarint() == step.value >> (step.value & 63))
      default: #expect(try reader.readBytes(step.bytes.count).array() == step.bytes)
      }
    }
    let remaining = reader.remaining
    #expect(remaining == 0)
    expectError(.corrupt) {
      var reader = ByteReader(copy.rawSpan)
      _ = try reader.readBytes(copy.count + 1)
    }
  }

  @Test func `a writer can be used again`() {
    var writer = ByteWriter()
    writer.append([1])
    writer.append(repeating: 9, byteCount: 2)
    #expect(writer.array() == [1, 9, 9])
    writer.removeAll()
    #expect(writer.array() == [])
  }

  @Test func `spans compare as keys do`() {
    let keys: [[UInt8]] = [[], [0], [0, 0], [0, 1], [1], [1, 255], [2], [255], [255, 255]]
    for (i, left) in keys.enumerated() {
      for (j, right) in keys.enumerated() {
        #expect(left.rawSpan.lexicographicallyPrecedes(right.rawSpan) == (i < j))
        #expect(left.rawSpan.equals(right.rawSpan) == (i == j))
        #expect(left.rawSpan.hasPrefix(right.rawSpan) == left.starts(with: right))
      }
    }
  }

  @Test func `loads are of the byte order they say`() {
    let bytes: [UInt8] = [0xFF, 1, 2, 3, 4, 5, 6, 7, 8]
    let span = bytes.rawSpan
    #expect(span.loadBigEndian16(at: 1) == 0x0102)
    #expect(span.loadBigEndian32(at: 1) == 0x0102_0304)
    #expect(span.loadBigEndian64(at: 1) == 0x0102_0304_0506_0708)
    #expect(span.loadLittleEndian16(at: 1) == 0x0201)
    #expect(span.loadLittleEndian32(at: 1) == 0x0403_0201)
    #expect(span.loadLittleEndian64(at: 1) == 0x0807_0605_0403_0201)
    #expect(span.byte(at: 0) == 0xFF)
  }

  @Test func `a load outside the span stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let bytes: [UInt8] = [1, 2, 3]
      _ = bytes.rawSpan.loadBigEndian16(at: 2)
    }
  }
}
