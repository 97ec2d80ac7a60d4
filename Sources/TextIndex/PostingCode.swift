internal import LMDB

/// One posting as bytes: a varint of (gap − 1) · 8 + code, then what the code asks for.
///
/// Codes 0…5 stand for the common shapes and need nothing more; 6 is followed by a frequency in
/// the text alone; 7 by a byte (low half: fields present, high half: place in the title) and one
/// varint per field present.
enum PostingCode {
  /// Most bytes of one posting.
  static let byteCountMax = 5 + 1 + 4 * 4

  private static let shapes: [UInt64] = [
    Occurrence(text: 1).packed, Occurrence(text: 2).packed,
    Occurrence(place: .inside, title: 1).packed,
    Occurrence(place: .inside, title: 1, text: 1).packed,
    Occurrence(keywords: 1).packed, Occurrence(description: 1).packed,
  ]
  private static let textOnly: UInt64 = IndexLimits.textFieldFrequency << 38

  static func append(_ posting: Posting, after previous: UInt32, to bytes: inout [UInt8]) {
    let gap = UInt64(posting.document &- previous &- 1) << 3
    let packed = posting.occurrence.packed
    for code in 0..<6 where shapes[code] == packed {
      appendVarint(gap | UInt64(code), to: &bytes)
      return
    }
    if packed & ~textOnly == 0 {
      appendVarint(gap | 6, to: &bytes)
      appendVarint(packed >> 38, to: &bytes)
      return
    }
    appendVarint(gap | 7, to: &bytes)
    var fields: UInt8 = posting.occurrence.place << 4
    for kind in 0..<4 where posting.occurrence.frequency(kind) > 0 { fields |= 1 << UInt8(kind) }
    bytes.append(fields)
    for kind in 0..<4 where fields >> UInt8(kind) & 1 == 1 {
      appendVarint(posting.occurrence.frequency(kind), to: &bytes)
    }
  }

  static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads one posting and moves `offset` behind it.
  ///
  /// - Throws: `.corrupt` when the bytes end early or make no posting.
  static func read(
    _ bytes: borrowing RawSpan,
    _ offset: inout Int,
    after previous: UInt32
  ) throws(StorageError) -> Posting {
    let head = try varint(bytes, &offset)
    let gap = head >> 3
    guard gap < UInt64(UInt32.max - previous) else { throw damaged }
    let document = previous + UInt32(gap) + 1
    let code = Int(head & 7)
    if code < 6 {
      return Posting(document: document, occurrence: Occurrence(packed: shape(code)))
    }
    if code == 6 {
      let frequency = try varint(bytes, &offset)
      return Posting(document: document, occurrence: Occurrence(text: frequency))
    }
    guard offset < bytes.byteCount else { throw damaged }
    let fields = bytes.byte(at: offset)
    offset += 1
    var frequencies = SIMD4<UInt64>()
    for kind in 0..<4 where fields >> UInt8(kind) & 1 == 1 {
      frequencies[kind] = try varint(bytes, &offset)
    }
    return Posting(
      document: document,
      occurrence: Occurrence(
        place: TitlePlace(rawValue: fields >> 4 & 3) ?? .none,
        title: frequencies[0],
        keywords: frequencies[1],
        description: frequencies[2],
        text: frequencies[3]
      )
    )
  }

  @inline(__always)
  private static func shape(_ code: Int) -> UInt64 {
    switch code {
    case 0: 1 << 38
    case 1: 2 << 38
    case 2: 1 << 2 | 1
    case 3: 1 << 38 | 1 << 2 | 1
    case 4: 1 << 14
    default: 1 << 26
    }
  }

  @inline(__always)
  static func varint(_ bytes: borrowing RawSpan, _ offset: inout Int) throws(StorageError) -> UInt64
  {
    guard offset < bytes.byteCount else { throw damaged }
    // SAFETY: the line above keeps the load inside the span.
    let first = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    offset &+= 1
    if first < 0x80 { return UInt64(first) }
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      guard offset < bytes.byteCount, shift < 63 else { throw damaged }
      // SAFETY: the line above keeps the load inside the span.
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
  }

  static var damaged: StorageError {
    StorageError(.corrupt, "a postings list is damaged; rebuild the text index")
  }
}
