import Values

extension HTMLParser {
  /// A character reference at `&` (13.2.5.72), or the `&` itself where it begins none.
  mutating func readReference(inAttribute: Bool) {
    position += 1
    guard position < input.count else { return emit([0x26], inAttribute) }
    if input[position] == 0x23 { return readNumber(inAttribute) }
    guard input[position].isLetter,
      let found = CharacterReferences.shared.longest(input, from: position)
    else { return emit([0x26], inAttribute) }
    let end = position + found.count
    let hasSemicolon = end < input.count && input[end] == 0x3b
    if !hasSemicolon, inAttribute, end < input.count,
      input[end] == 0x3d || input[end].isLetter || input[end].isDigit
    {
      return emit([0x26], inAttribute)
    }
    emit(found.text, inAttribute)
    position = end + (hasSemicolon ? 1 : 0)
  }

  private mutating func emit(_ bytes: [UInt8], _ inAttribute: Bool) {
    if inAttribute { tree.bytes += bytes } else { pending += bytes }
  }

  private mutating func readNumber(_ inAttribute: Bool) {
    let start = position
    position += 1
    let isHex = position < input.count && input[position] | 0x20 == 0x78
    if isHex { position += 1 }
    let digits = position
    var value: UInt32 = 0
    while position < input.count,
      isHex ? input[position].isHexDigit : input[position].isDigit
    {
      value = min(0x11_0000, value * (isHex ? 16 : 10) + UInt32(input[position].hexValue))
      position += 1
    }
    guard position > digits else {
      position = start
      return emit([0x26], inAttribute)
    }
    if position < input.count, input[position] == 0x3b { position += 1 }
    emit(Array(String(CharacterReferences.scalar(value)).utf8), inAttribute)
  }
}

/// Which characters `&name;` and `&#number;` stand for.
struct CharacterReferences {
  static let shared = CharacterReferences()

  /// Names one after the other, sorted.
  private var names: [UInt8] = []
  private var starts: [Int] = []
  private var texts: [[UInt8]] = []
  private var needsSemicolon: [Bool] = []

  private init() {
    let table = NamedReferences.table.withUTF8Buffer { unsafe Array($0) }
    for entry in table.split(separator: UInt8(ascii: ",")) {
      let space = UInt8(ascii: " ")
      guard let end = entry.firstIndex(where: { $0 == space || $0 == UInt8(ascii: "!") }) else {
        continue
      }
      starts.append(names.count)
      names += entry[..<end]
      needsSemicolon.append(entry[end] == space)
      texts.append(
        entry[(end + 1)...].split(separator: UInt8(ascii: "+")).flatMap { hex in
          let value = hex.reduce(UInt32(0)) { $0 * 16 + UInt32($1.hexValue) }
          return Array(String(Self.scalar(value)).utf8)
        })
    }
    starts.append(names.count)
  }

  /// The longest name that begins here and may end where it does.
  func longest(_ input: [UInt8], from start: Int) -> (count: Int, text: [UInt8])? {
    var (low, high) = (0, texts.count)
    var depth = 0
    var found: Int?
    var foundCount = 0
    while low < high, start + depth < input.count {
      let byte = input[start + depth]
      low = (low..<high).partitioningIndex { self.byte($0, depth) >= Int(byte) }
      high = (low..<high).partitioningIndex { self.byte($0, depth) > Int(byte) }
      depth += 1
      guard low < high else { break }
      if starts[low + 1] - starts[low] == depth {
        let hasSemicolon = start + depth < input.count && input[start + depth] == 0x3b
        if hasSemicolon || !needsSemicolon[low] { (found, foundCount) = (low, depth) }
      }
    }
    return found.map { (foundCount, texts[$0]) }
  }

  /// A byte of a name; below all others behind its end.
  private func byte(_ entry: Int, _ depth: Int) -> Int {
    let place = starts[entry] + depth
    return place < starts[entry + 1] ? Int(names[place]) : -1
  }

  /// The character of a number, as 13.2.5.80 mends it.
  static func scalar(_ value: UInt32) -> Character {
    let mended = 0x80..<0xa0 ~= value ? windows1252[Int(value) - 0x80] : value
    return Character(Unicode.Scalar(mended == 0 ? 0xfffd : mended) ?? "\u{fffd}")
  }

  /// What windows-1252 has at 80 … 9F; holes stay as they are.
  static let windows1252: [UInt32] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039,
    0x152, 0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc,
    0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
  ]
}
