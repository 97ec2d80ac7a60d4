import Values

extension HTMLParser {
  /// A character reference at `&` (13.2.5.72), or the `&` itself where it begins none.
  mutating func readReference(inAttribute: Bool) {
    let found = CharacterReferences.shared.reference(input, at: position, inAttribute: inAttribute)
    let text = found?.text ?? [0x26]
    if inAttribute { tree.bytes += text } else { pending += text }
    position = found?.end ?? position + 1
  }
}

/// Which characters `&name;` and `&#number;` stand for.
package struct CharacterReferences: Sendable {
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

  /// A text with the characters that its references stand for.
  package static func replaced(in text: [UInt8], inAttribute: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      if text[position] == 0x26,
        let found = shared.reference(text, at: position, inAttribute: inAttribute)
      {
        result += found.text
        position = found.end
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return result
  }

  /// What a reference at `&` stands for, and where it ends; nil where it is none.
  func reference(_ input: [UInt8], at start: Int, inAttribute: Bool) -> (text: [UInt8], end: Int)? {
    let name = start + 1
    guard name < input.count else { return nil }
    if input[name] == 0x23 { return number(input, at: name + 1) }
    guard input[name].isLetter, let found = longest(input, from: name) else { return nil }
    let end = name + found.count
    guard end < input.count else { return (found.text, end) }
    if input[end] == 0x3b { return (found.text, end + 1) }
    // Else a parameter of an address would become another one.
    let goesOn = input[end] == 0x3d || input[end].isLetter || input[end].isDigit
    guard !inAttribute || !goesOn else { return nil }
    return (found.text, end)
  }

  private func number(_ input: [UInt8], at start: Int) -> (text: [UInt8], end: Int)? {
    let isHex = start < input.count && input[start] | 0x20 == 0x78
    let digits = isHex ? start + 1 : start
    var end = digits
    var value: UInt32 = 0
    while end < input.count, isHex ? input[end].isHexDigit : input[end].isDigit {
      value = min(0x11_0000, value * (isHex ? 16 : 10) + UInt32(input[end].hexValue))
      end += 1
    }
    guard end > digits else { return nil }
    if end < input.count, input[end] == 0x3b { end += 1 }
    return (Array(String(Self.scalar(value)).utf8), end)
  }

  /// The longest name that begins here and may end where it does.
  private func longest(_ input: [UInt8], from start: Int) -> (count: Int, text: [UInt8])? {
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
  package static func scalar(_ value: UInt32) -> Character {
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
