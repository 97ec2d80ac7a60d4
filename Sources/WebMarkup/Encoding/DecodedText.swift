internal import CICU

/// A page's text in UTF-8, with LF for every line end.
package struct DecodedText {
  let encoding: TextEncoding
  package let bytes: [UInt8]
  /// The byte of the text where bytes that are no text were first replaced.
  let firstReplaced: Int?

  /// Decodes a page.
  ///
  /// Memory is that of the text, besides the page's own: a page of valid UTF-8 is not copied.
  package init(_ source: [UInt8], contentType: String?) {
    let (encoding, skip) = EncodingSniffer.encoding(of: source, contentType: contentType)
    self.encoding = encoding
    var bytes: [UInt8]
    var replaced: Int?
    switch encoding.name {
    case "UTF-8" where EncodingSniffer.isUTF8(source[skip...]):
      bytes = skip > 0 ? Array(source[skip...]) : source
    case "UTF-8": (bytes, replaced) = Self.repaired(source[skip...])
    case "windows-1252": bytes = Self.windows1252(source[skip...])
    case "replacement": (bytes, replaced) = ([0xef, 0xbf, 0xbd], 0)
    case "x-user-defined":
      bytes = Self.mapped(source[skip...]) { $0 < 0x80 ? UInt32($0) : 0xf700 + UInt32($0) }
    case "ISO-8859-16":
      let table = Array(Self.latin10)
      bytes = Self.mapped(source[skip...]) {
        $0 < 0xa1 ? UInt32($0) : table[Int($0) - 0xa1].value
      }
    default:
      if let corrections = Self.corrections[encoding.name] {
        bytes = Self.mapped(source[skip...]) {
          corrections[$0] ?? Self.scalar($0, encoding.converter)
        }
      } else {
        let text = Self.standardised(source[skip...], encoding.name)
        bytes = Self.converted(text, encoding.converter) ?? Self.windows1252(text)
      }
      if encoding.converter == "gb18030" { Self.correctChinese(&bytes) }
      if ["IBM866", "Shift_JIS"].contains(encoding.name) { Self.turnControls(&bytes) }
      if ["Big5", "EUC-JP", "EUC-KR"].contains(encoding.name) { Self.replaceInvented(&bytes) }
      replaced = Self.firstReplacement(bytes)
    }
    Self.makeLineEndsPlain(&bytes, &replaced)
    self.bytes = bytes
    firstReplaced = replaced
  }

  /// UTF-8 with U+FFFD for what is none, and where that is first.
  private static func repaired(_ bytes: ArraySlice<UInt8>) -> ([UInt8], Int?) {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    var replaced: Int?
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let piece = bytes[start..<pieceEnd(bytes, from: start)]
      let text = Array(String(decoding: piece, as: UTF8.self).utf8)
      if replaced == nil, !text.elementsEqual(piece) {
        let same = zip(piece, text).prefix { $0 == $1 }.count
        replaced = result.count + same
      }
      result += text
      start = piece.endIndex
    }
    return (result, replaced)
  }

  /// Where a piece of some bytes ends that cuts no character, which has at most three bytes behind
  /// its first.
  private static func pieceEnd(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
    let end = min(start + 1 << 16, bytes.endIndex)
    guard end < bytes.endIndex else { return end }
    return (end - 3...end).last { bytes[$0] & 0xc0 != 0x80 } ?? end
  }

  /// ISO-8859-16 from A1 on, which ICU does not have.
  private static let latin10 = """
    ĄąŁ€„Š§š©Ș«Ź­źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐ\
    ŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ
    """.unicodeScalars

  /// Bytes of which the standard makes other characters than ICU, by the encoding's name.
  private static let corrections: [String: [UInt8: UInt32]] = [
    "KOI8-U": [0xae: 0x45e, 0xbe: 0x40e],
    "windows-874": [
      0xdb: 0xfffd, 0xdc: 0xfffd, 0xdd: 0xfffd, 0xde: 0xfffd, 0xfc: 0xfffd, 0xfd: 0xfffd,
      0xfe: 0xfffd, 0xff: 0xfffd,
    ],
    "windows-1253": [0xaa: 0xfffd], "windows-1255": [0xca: 0x5ba],
  ]

  /// Characters of GBK that ICU knows from before 2022, as ones of private use, and the standard's.
  private static let chinese: [UInt16: [UInt8]] = {
    let old = "\u{e5e5}\u{e78d}\u{e78e}\u{e78f}\u{e790}\u{e791}\u{e792}\u{e793}\u{e794}\u{e795}"
    let rare = "\u{e796}\u{e81e}\u{e826}\u{e82b}\u{e82c}\u{e832}\u{e843}\u{e854}\u{e864}"
    let new = "\u{3000}\u{fe10}\u{fe12}\u{fe11}\u{fe13}\u{fe14}\u{fe15}\u{fe16}\u{fe17}\u{fe18}"
    let own = "\u{fe19}\u{9fb4}\u{9fb5}\u{9fb6}\u{9fb7}\u{9fb8}\u{9fb9}\u{9fba}\u{9fbb}"
    let pairs = zip((old + rare).unicodeScalars, (new + own).unicodeScalars)
    return Dictionary(
      pairs.map { (UInt16(truncatingIfNeeded: $0.value), Array(String($1).utf8)) }
    ) { first, _ in first }
  }()

  /// Puts the standard's characters in place of ICU's: both have three bytes.
  private static func correctChinese(_ bytes: inout [UInt8]) {
    var place = 0
    while let lead = bytes[place...].firstIndex(of: 0xee), lead + 2 < bytes.count {
      let low = UInt16(bytes[lead + 1] & 0x3f) << 6 | UInt16(bytes[lead + 2] & 0x3f)
      if let found = chinese[0xe000 | low] {
        for index in 0..<3 { bytes[lead + index] = found[index] }
      }
      place = lead + 3
    }
  }

  /// EUC-JP without three signs that ICU alone has, behind its katakana of half width, and Big5
  /// without four rows of private use: other bytes in their places are none to ICU, either.
  ///
  /// No character has 0x8E in EUC-JP, and 0x81 to 0x84 in Big5, but as its first byte.
  private static func standardised(_ bytes: ArraySlice<UInt8>, _ encoding: String)
    -> ArraySlice<UInt8>
  {
    var bytes = bytes
    switch encoding {
    case "EUC-JP":
      for place in bytes.indices.dropLast()
      where bytes[place] == 0x8e && 0xe0...0xe2 ~= bytes[place + 1] {
        bytes[place + 1] = 0xe3
      }
    case "Big5":
      for place in bytes.indices where 0x81...0x84 ~= bytes[place] { bytes[place] = 0x85 }
    default: break
    }
    return bytes
  }

  /// Three controls of ASCII stand in the places of one another in ICU's tables of DOS.
  private static func turnControls(_ bytes: inout [UInt8]) {
    let turned: [UInt8: UInt8] = [0x1a: 0x7f, 0x1c: 0x1a, 0x7f: 0x1c]
    for place in bytes.indices where bytes[place] < 0x20 || bytes[place] == 0x7f {
      if let byte = turned[bytes[place]] { bytes[place] = byte }
    }
  }

  /// Replaces controls above ASCII and characters of private use, which ICU makes of bytes that
  /// are none in the standard's tables of these encodings.
  private static func replaceInvented(_ bytes: inout [UInt8]) {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var start = 0
    for place in bytes.indices.dropLast() {
      let count: Int
      switch (bytes[place], bytes[place + 1]) {
      case (0xc2, ..<0xa0): count = 2
      case (0xee, _), (0xef, ..<0xa4): count = 3
      default: continue
      }
      result += bytes[start..<place] + [0xef, 0xbf, 0xbd]
      start = place + count
    }
    bytes = result + bytes[start...]
  }

  /// The character that ICU makes of a byte.
  private static func scalar(_ byte: UInt8, _ converter: String) -> UInt32 {
    let text = String(decoding: converted([byte], converter) ?? [], as: UTF8.self)
    return text.unicodeScalars.first?.value ?? 0xfffd
  }

  private static func windows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    mapped(bytes) {
      0x80..<0xa0 ~= $0 ? CharacterReferences.windows1252[Int($0) - 0x80] : UInt32($0)
    }
  }

  /// Text of an encoding that has one character a byte.
  private static func mapped(_ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt32) -> [UInt8] {
    /// UTF-8 of each, the first byte lowest.
    let table = (0...0xff).map { byte in
      let scalar = Unicode.Scalar(scalar(UInt8(byte))) ?? "\u{fffd}"
      return String(scalar).utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    var count = 0
    for byte in bytes {
      count += table[Int(byte)] < 0x100 ? 1 : table[Int(byte)] < 0x1_0000 ? 2 : 3
    }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for byte in bytes {
      var code = table[Int(byte)]
      repeat {
        result.append(UInt8(truncatingIfNeeded: code))
        code >>= 8
      } while code != 0
    }
    return result
  }

  private static func converted(_ bytes: ArraySlice<UInt8>, _ converter: String) -> [UInt8]? {
    var isKnown = false
    // SAFETY: ICU reads and writes within the counts it is given, and what it wrote is initialised.
    let result = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: bytes.count * 3 + 16) { target, count in
        let written = unsafe cairn_decode(
          converter, source.baseAddress, Int64(source.count), target.baseAddress,
          Int64(target.count))
        isKnown = written >= 0
        count = max(0, Int(written))
      }
    }
    return isKnown ? result : nil
  }

  private static func firstReplacement(_ bytes: [UInt8]) -> Int? {
    var rest = bytes[...]
    while let place = rest.firstIndex(of: 0xef) {
      if bytes[place...].starts(with: [0xef, 0xbf, 0xbd]) { return place }
      rest = bytes[(place + 1)...]
    }
    return nil
  }

  /// CR LF and CR become LF, which keeps lines and columns as they are; a place moves along.
  private static func makeLineEndsPlain(_ bytes: inout [UInt8], _ place: inout Int?) {
    guard var end = bytes.firstIndex(of: 0x0d) else { return }
    let old = place
    for index in end..<bytes.count {
      if index == old { place = end }
      let byte = bytes[index]
      // The LF behind it stands for both.
      if byte == 0x0d, index + 1 < bytes.count, bytes[index + 1] == 0x0a { continue }
      bytes[end] = byte == 0x0d ? 0x0a : byte
      end += 1
    }
    bytes.removeSubrange(end...)
  }
}

/// Lines and columns of places in a text, both from 1; a column is one Unicode scalar.
struct TextPlaces {
  let bytes: [UInt8]
  private var lastPlace = 0
  private var lastLine = 1
  private var lastColumn = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Quick for places that come in order.
  mutating func lineAndColumn(of place: Int) -> (line: Int, column: Int) {
    if place < lastPlace { (lastPlace, lastLine, lastColumn) = (0, 1, 1) }
    while lastPlace < min(place, bytes.count) {
      let byte = bytes[lastPlace]
      if byte == 0x0a {
        lastLine += 1
        lastColumn = 1
      } else if byte & 0xc0 != 0x80 {
        lastColumn += 1
      }
      lastPlace += 1
    }
    return (lastLine, lastColumn)
  }
}
