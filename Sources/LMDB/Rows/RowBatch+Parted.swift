extension RowBatch {
  /// Adds a value of any length; see the other overload.
  package mutating func appendParted(_ key: borrowing ByteWriter, _ value: borrowing ByteWriter)
    throws(StorageError)
  { try appendParted(key.bytes, value.bytes) }

  /// Adds a value of any length in the rows of `Parted`; keys must rise.
  package mutating func appendParted(_ key: RawSpan, _ value: RawSpan) throws(StorageError) {
    try Parted.forEachPart(key, value) { (name, row) throws(StorageError) in append(name, row) }
  }
}
