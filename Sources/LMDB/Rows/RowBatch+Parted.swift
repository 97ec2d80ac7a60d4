extension RowBatch {
  /// Adds a value of any length; see the other overload.
  package mutating func appendParted(_ key: borrowing ByteWriter, _ value: borrowing ByteWriter)
    throws(CairnError)
  { try appendParted(key.bytes, value.bytes) }

  /// Adds a value of any length in the rows of `Parted`; keys must rise.
  package mutating func appendParted(_ key: RawSpan, _ value: RawSpan) throws(CairnError) {
    try Parted.forEachPart(key, value) { (name, row) throws(CairnError) in append(name, row) }
  }
}
