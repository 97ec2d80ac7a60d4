extension TokenBuffer {
  /// Turns the bytes appended since `byteStart` into a token at the next position.
  @discardableResult
  mutating func finishTerm(
    from byteStart: Int,
    _ space: TermSpace,
    source: Range<Int>
  ) -> Token {
    finishTerm(from: byteStart, space, position: positionCount, source: source)
  }

  /// The same at a given position.
  @discardableResult
  mutating func finishTerm(
    from byteStart: Int,
    _ space: TermSpace,
    traits: Token.Traits = .startsWord,
    position: UInt32,
    source: Range<Int>
  ) -> Token {
    if bytes.count - byteStart > TextLimits.termByteCount { cutTerm(from: byteStart) }
    let token = Token(
      byteStart: UInt32(truncatingIfNeeded: byteStart),
      byteCount: UInt16(truncatingIfNeeded: bytes.count - byteStart),
      space: space,
      traits: traits,
      position: position,
      sourceStart: UInt32(truncatingIfNeeded: source.lowerBound),
      sourceEnd: UInt32(truncatingIfNeeded: source.upperBound)
    )
    tokens.append(token)
    return token
  }

  /// Replaces the end of an overlong term by the hash of all of it, so that equal words stay equal
  /// and different ones differ.
  private mutating func cutTerm(from byteStart: Int) {
    var hash = TermHash()
    for index in byteStart..<bytes.count { hash.combine(bytes[index]) }
    var end = byteStart + TextLimits.termByteCount - TextLimits.termHashByteCount
    // Never inside a character: 10xxxxxx continues one.
    while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    bytes.removeLast(bytes.count - end)
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: hash.value >> UInt64(shift)) & 15
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
