extension EncodedEvent {
  /// Whether two events with one identity say the same, so that the second is a repetition.
  ///
  /// Compared are the kind and all fields as given, in the current shape; `recorded`, the identity
  /// and the place in the log do not count. Where only one gives a `time`, it has to be the one
  /// that the other got instead: an event that was given none comes back from `replay` with it.
  /// Without a time it happens when it is recorded; this one, where it says neither, when `other`,
  /// the earlier one, was.
  /// - Complexity: one comparison of bytes when both have one shape, else an upcast more.
  package func hasSameContent(as other: EncodedEvent, upcasting chain: UpcasterChain)
    throws(CairnError) -> Bool
  {
    guard kind == other.kind else { return false }
    if schema == other.schema, payload == other.payload { return true }
    let mine = try chain.upcast(payload, kind: kind, schema: schema) ?? []
    let theirs = try chain.upcast(other.payload, kind: kind, schema: other.schema) ?? []
    let first = try Self.timePlace(mine)
    let second = try Self.timePlace(theirs)
    guard first.isEmpty != second.isEmpty else { return mine == theirs }
    guard (time ?? recorded ?? other.recorded) == (other.time ?? other.recorded) else {
      return false
    }
    // Maps of up to 16 fields have a head of one byte, which alone tells how many there are.
    return mine[..<first.lowerBound].dropFirst().elementsEqual(
      theirs[..<second.lowerBound].dropFirst())
      && mine[first.upperBound...].elementsEqual(theirs[second.upperBound...])
  }

  /// Where the field `time` is, key and all; empty where it would be when there is none.
  private static func timePlace(_ payload: [UInt8]) throws(CairnError) -> Range<Int> {
    let bytes = payload.span
    var reader = PayloadReader()
    for _ in 0..<(try reader.count(bytes, .map)) {
      let start = reader.position
      guard let field = PayloadField(rawValue: reader.peek(bytes)) else { throw reader.malformed() }
      reader.position += 1
      switch field {
      case .item: _ = try reader.string(bytes)
      case .domain: _ = try reader.value(bytes)
      case .time:
        _ = try reader.timestamp(bytes)
        return start..<reader.position
      default: return start..<start
      }
    }
    return reader.position..<reader.position
  }
}
