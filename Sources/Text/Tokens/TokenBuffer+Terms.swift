extension TokenBuffer {
  /// Turns the bytes put since `byteStart` into a token at the next position.
  @discardableResult mutating func finishTerm(
    from byteStart: Int, _ space: TermSpace, source: Range<Int>
  ) -> Token { finishTerm(from: byteStart, space, position: positionCount, source: source) }

  /// The same at a given position.
  @discardableResult mutating func finishTerm(
    from byteStart: Int, _ space: TermSpace, traits: Token.Traits = .startsWord, position: UInt32,
    source: Range<Int>
  ) -> Token {
    if byteCount - byteStart > TextLimits.termByteCount { cutTerm(from: byteStart) }
    let token = Token(
      byteStart: UInt32(truncatingIfNeeded: byteStart),
      byteCount: UInt16(truncatingIfNeeded: byteCount - byteStart), space: space, traits: traits,
      position: position, sourceStart: UInt32(truncatingIfNeeded: source.lowerBound),
      sourceEnd: UInt32(truncatingIfNeeded: source.upperBound))
    tokens.append(token)
    return token
  }

  /// Puts the UTF-8 bytes of a scalar; the caller has reserved them.
  mutating func put(_ scalar: UInt32) {
    if scalar < 0x80 {
      put(byte: scalar)
      return
    }
    if scalar < 0x800 {
      put(byte: 0xC0 | scalar >> 6)
    } else {
      if scalar < 0x10000 {
        put(byte: 0xE0 | scalar >> 12)
      } else {
        put(byte: 0xF0 | scalar >> 18)
        put(byte: 0x80 | (scalar >> 12) & 0x3F)
      }
      put(byte: 0x80 | (scalar >> 6) & 0x3F)
    }
    put(byte: 0x80 | scalar & 0x3F)
  }

  private mutating func put(byte: UInt32) {
    bytes[byteCount] = UInt8(truncatingIfNeeded: byte)
    byteCount += 1
  }

  /// Replaces the end of an overlong term by the hash of all of it, so that equal words stay equal
  /// and different ones differ.
  private mutating func cutTerm(from byteStart: Int) {
    var hash = TermHash()
    for index in byteStart..<byteCount { hash.combine(bytes[index]) }
    var end = byteStart + TextLimits.termByteCount - TextLimits.termHashByteCount
    // Never inside a character: 10xxxxxx continues one.
    while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    byteCount = end
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt32(truncatingIfNeeded: hash.value >> UInt64(shift)) & 15
      put(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
