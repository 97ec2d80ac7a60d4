extension RowBatch {
  /// Adds a value of any length; see the other overload.
  package mutating func appendParted(
    _ key: borrowing ByteWriter,
    _ value: borrowing ByteWriter
  ) {
    appendParted(key.bytes, value.bytes)
  }

  /// Adds a value of any length in the rows of `Parted`; keys must rise.
  package mutating func appendParted(_ key: RawSpan, _ value: RawSpan) {
    var name = ByteWriter(capacity: key.byteCount + 2)
    var row = ByteWriter(capacity: Limits.valueByteCountMax)
    var offset = 0
    var part: UInt16 = 0
    repeat {
      row.removeAll()
      if part == 0 { row.appendBigEndian(UInt32(value.byteCount)) }
      let room = part == 0 ? Parted.firstPartByteCount : Parted.partByteCount
      let end = min(offset + room, value.byteCount)
      row.append(value.extracting(offset..<end))
      name.removeAll()
      name.append(key)
      name.appendBigEndian(part)
      append(name.bytes, row.bytes)
      offset = end
      part += 1
    } while offset < value.byteCount
  }
}
