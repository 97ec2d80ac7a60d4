import Events

// How the fixed-width values of the log stand in rows.

extension EventID {
  func append(to writer: inout ByteWriter) {
    writer.appendBigEndian(high)
    writer.appendBigEndian(low)
  }

  init(_ reader: inout ByteReader) throws(CairnError) {
    let high = try reader.readBigEndian64()
    self.init(high: high, low: try reader.readBigEndian64())
  }
}

extension Hash32 {
  init(_ reader: inout ByteReader) throws(CairnError) {
    guard let hash = Hash32(try reader.readBytes(Hash32.byteCount)) else {
      throw CairnError(.corrupt, "a hash is cut short")
    }
    self = hash
  }
}

extension Timestamp {
  static let storedByteCount = 12

  /// Appends seconds (8, signed) and nanoseconds (4), big-endian.
  func append(to writer: inout ByteWriter) {
    writer.appendBigEndian(UInt64(bitPattern: seconds))
    writer.appendBigEndian(nanoseconds)
  }

  init(_ reader: inout ByteReader) throws(CairnError) {
    let bytes = try reader.readBytes(Timestamp.storedByteCount)
    let seconds = Int64(bitPattern: bytes.loadBigEndian64(at: 0))
    let nanoseconds = bytes.loadBigEndian32(at: 8)
    guard nanoseconds < 1_000_000_000 else {
      throw CairnError(.corrupt, "a stored time has a second's worth of nanoseconds or more")
    }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
    guard self.seconds == seconds else {
      throw CairnError(.corrupt, "a stored time lies outside the years 0 to 9999")
    }
  }
}
