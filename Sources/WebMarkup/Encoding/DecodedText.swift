internal import CICU

/// A page's text in UTF-8, with LF for every line end.
struct DecodedText {
  let encoding: TextEncoding
  let bytes: [UInt8]
  /// The byte of the text where bytes that are no text were first replaced.
  let firstReplaced: Int?

  /// Decodes a page.
  init(_ source: [UInt8], contentType: String?) {
    let (encoding, skip) = EncodingSniffer.encoding(of: source, contentType: contentType)
    self.encoding = encoding
    let bytes = skip > 0 ? Array(source[skip...]) : source
    let decoded: [UInt8]
    let replaced: Int?
    switch encoding.name {
    case "UTF-8": (decoded, replaced) = Self.utf8(bytes)
    case "windows-1252": (decoded, replaced) = (Self.windows1252(bytes), nil)
    case "replacement": (decoded, replaced) = ([0xef, 0xbf, 0xbd], 0)
    case "x-user-defined":
      decoded = Self.mapped(bytes) { $0 < 0x80 ? UInt32($0) : 0xf700 + UInt32($0) }
      replaced = nil
    case "ISO-8859-16":
      let table = Array(Self.latin10)
      decoded = Self.mapped(bytes) { $0 < 0xa1 ? UInt32($0) : table[Int($0) - 0xa1].value }
      replaced = nil
    default:
      decoded = Self.converted(bytes, encoding.converter) ?? Self.windows1252(bytes)
      replaced = Self.firstReplacement(decoded)
    }
    self.bytes = Self.withPlainLineEnds(decoded)
    firstReplaced = replaced.map { Self.withPlainLineEnds(Array(decoded[..<$0])).count }
  }

  private static func utf8(_ bytes: [UInt8]) -> ([UInt8], Int?) {
    if EncodingSniffer.isUTF8(bytes) { return (bytes, nil) }
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    let place = zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return (repaired, place ?? min(bytes.count, repaired.count))
  }

  /// ISO-8859-16 from A1 on, which ICU does not have.
  private static let latin10 = """
    ĄąŁ€„Š§š©Ș«Ź­źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐ\
    ŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ
    """.unicodeScalars

  private static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
    mapped(bytes) {
      0x80..<0xa0 ~= $0 ? CharacterReferences.windows1252[Int($0) - 0x80] : UInt32($0)
    }
  }

  private static func mapped(_ bytes: [UInt8], _ scalar: (UInt8) -> UInt32) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
      } else if let scalar = Unicode.Scalar(scalar(byte)) {
        result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return result
  }

  private static func converted(_ bytes: [UInt8], _ converter: String) -> [UInt8]? {
    var units = [UInt16](repeating: 0, count: bytes.count * 2 + 16)
    // SAFETY: ICU reads and writes within the counts it is given.
    let count = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe units.withUnsafeMutableBufferPointer { target in
        unsafe cairn_decode(
          converter, source.baseAddress, Int64(source.count), target.baseAddress,
          Int64(target.count))
      }
    }
    guard count >= 0 else { return nil }
    return Array(String(decoding: units[..<Int(count)], as: UTF16.self).utf8)
  }

  private static func firstReplacement(_ bytes: [UInt8]) -> Int? {
    bytes.indices.first {
      bytes[$0] == 0xef && $0 + 2 < bytes.count && bytes[$0 + 1] == 0xbf && bytes[$0 + 2] == 0xbd
    }
  }

  /// CR LF and CR as LF, which keeps lines and columns as they are.
  private static func withPlainLineEnds(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x0d) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte != 0x0d {
        result.append(byte)
      } else if index + 1 == bytes.count || bytes[index + 1] != 0x0a {
        result.append(0x0a)
      }
    }
    return result
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
