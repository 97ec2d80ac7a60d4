/// Fast looks at UTF-8 bytes.
enum TextScan {
  /// The first place at or after `start` that is not plain: a quote, a backslash, a control
  /// character, a byte of a longer sequence, or the end.
  static func plainEnd(_ text: Span<UInt8>, from start: Int) -> Int {
    // SAFETY: the pointer is used only inside the closure, and every load ends at or before
    // `count`.
    unsafe text.withUnsafeBytes { bytes in
      var index = start
      while index + 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let special = special(word.littleEndian)
        guard special == 0 else { return index + special.trailingZeroBitCount / 8 }
        index += 8
      }
      while index < bytes.count {
        let byte = unsafe bytes[index]
        guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5c else { break }
        index += 1
      }
      return index
    }
  }

  /// The high bit of the lowest byte that is not plain; bytes above it may be marked wrongly.
  private static func special(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5c5c_5c5c_5c5c_5c5c
    let control = (word &- 0x2020_2020_2020_2020) & ~word
    let found = word | control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return found & 0x8080_8080_8080_8080
  }

  /// Whether every byte is below 0x80.
  @inline(__always) static func isASCII(_ text: Span<UInt8>) -> Bool {
    // SAFETY: the pointer is used only inside the closure, and every load ends at or before
    // `count`.
    unsafe text.withUnsafeBytes { bytes in
      var index = 0
      var seen: UInt64 = 0
      while index + 8 <= bytes.count {
        seen |= unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index += 8
      }
      while index < bytes.count {
        seen |= UInt64(unsafe bytes[index])
        index += 1
      }
      return seen & 0x8080_8080_8080_8080 == 0
    }
  }

  /// Bytes in the well-formed UTF-8 sequence at `index` (Unicode 15 table 3-7), 0 when there is
  /// none.
  static func sequenceLength(_ text: Span<UInt8>, at index: Int) -> Int {
    let first = text[index]
    if first < 0x80 { return 1 }
    func continues(_ offset: Int, _ low: UInt8 = 0x80, _ high: UInt8 = 0xbf) -> Bool {
      guard index + offset < text.count else { return false }
      let byte = text[index + offset]
      return byte >= low && byte <= high
    }
    switch first {
    case 0xc2...0xdf: return continues(1) ? 2 : 0
    case 0xe0: return continues(1, 0xa0) && continues(2) ? 3 : 0
    case 0xed: return continues(1, 0x80, 0x9f) && continues(2) ? 3 : 0
    case 0xe1...0xef: return continues(1) && continues(2) ? 3 : 0
    case 0xf0: return continues(1, 0x90) && continues(2) && continues(3) ? 4 : 0
    case 0xf1...0xf3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xf4: return continues(1, 0x80, 0x8f) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }
}

extension [UInt8] {
  /// Appends a part of other bytes.
  mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
    // SAFETY: the pointer is used only inside the closure; `extracting` checks the range.
    unsafe text.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends a part of another buffer.
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    // SAFETY: the pointer is used only inside the closure; `extracting` checks the range.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0.extracting(range)) }
  }
}
