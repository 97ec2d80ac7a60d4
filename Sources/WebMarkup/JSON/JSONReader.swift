/// What is wrong with a JSON text: the first place where no valid JSON could have this character.
struct JSONFault: Error {
  var place: Int
  var kind: MarkupFault.Kind
  var message: String

  /// What is wrong with these bytes, and where.
  func described(in bytes: [UInt8]) -> String {
    var places = TextPlaces(bytes)
    let (line, column) = places.lineAndColumn(of: place)
    return "line \(line), column \(column): \(message)"
  }
}

/// Reads JSON (RFC 8259), and what pages have in its place.
struct JSONReader {
  /// Objects and arrays one in another.
  static let depthLimit = 128

  private let input: [UInt8]
  private var position: Int
  private var end: Int
  private var depth = 0
  /// How many values may still be read.
  private(set) var valuesLeft: Int
  /// Whether slips of the pen are read over.
  private let isLenient: Bool
  /// The first slip.
  private(set) var slip: JSONFault?

  /// Starts on a part of a text.
  init(
    _ input: [UInt8], _ range: Range<Int>, isLenient: Bool,
    valueLimit: Int = PageDocument.valueLimit
  ) {
    valuesLeft = valueLimit
    self.input = input
    self.isLenient = isLenient
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// Reads a file that has to be JSON, a byte order mark before it or not.
  static func strict(_ bytes: [UInt8]) throws(JSONFault) -> JSON {
    var reader = JSONReader(
      bytes, 0..<bytes.count, isLenient: false, valueLimit: bytes.count + 1)
    reader.skip("\u{feff}")
    return try reader.read()
  }

  /// The elements of an array up to the first that cannot be read, from the place behind its
  /// bracket on.
  static func readableElements(of bytes: [UInt8], from place: Int) -> [JSON] {
    var reader = JSONReader(
      bytes, place..<bytes.count, isLenient: false, valueLimit: bytes.count + 1)
    var elements: [JSON] = []
    do throws(JSONFault) {
      while try reader.more(isFirst: elements.isEmpty, close: UInt8(ascii: "]")) {
        elements.append(try reader.value())
      }
    } catch {
      // What cannot be read is said by whoever read it all.
      return elements
    }
    return elements
  }

  /// Reads the one value that the text is.
  mutating func read() throws(JSONFault) -> JSON {
    if isLenient { unwrap() }
    let result = try value()
    try skipSpace()
    if isLenient, isNext(UInt8(ascii: ";")) {
      note("a semicolon behind the JSON")
      position += 1
      try skipSpace()
    }
    guard position >= end else { throw unexpected() }
    return result
  }

  /// Takes off what wraps the text: a byte order mark, CDATA, a comment around it all.
  private mutating func unwrap() {
    skipBlanks()
    skip("\u{feff}")
    skipBlanks()
    trimEnd()
    unwrapCDATA()
    // One that ends before the JSON begins is a comment like any other.
    if has("<!--"), endsWith("-->"), isLastComment {
      note("a comment of HTML is around the JSON")
      position += 4
      end -= 3
      trimEnd()
      if endsWith("//") { end -= 2 }
    }
  }

  /// Takes off CDATA, and what hides it from scripts: Drupal writes `<!--//--><![CDATA[//><!--`
  /// and `//--><!]]>`, others comments of scripts around either end.
  private mutating func unwrapCDATA() {
    let start = position
    for part in ["<!--//-->", "//", "/*"] {
      skip(part)
      skipBlanks()
    }
    guard has("<![CDATA[") else {
      position = start
      return
    }
    for part in ["<![CDATA[", "//><!--", "*/"] {
      skip(part)
      skipBlanks()
    }
    for part in ["*/", "--><!]]>", "]]>", "/*", "//"] where endsWith(part) {
      end -= part.utf8.count
      trimEnd()
    }
  }

  /// Goes over a word that comes next.
  private mutating func skip(_ word: String) {
    if has(word) { position += word.utf8.count }
  }

  /// Whether the comment that begins here ends where the text does.
  private var isLastComment: Bool {
    let close = Array("-->".utf8)
    return !(position..<(end - 3)).contains {
      input[$0] == close[0] && input[$0...].starts(with: close)
    }
  }

  private func has(_ word: String) -> Bool { input[position..<end].starts(with: word.utf8) }

  private func endsWith(_ word: String) -> Bool {
    end - position >= word.utf8.count
      && input[(end - word.utf8.count)..<end].elementsEqual(word.utf8)
  }

  private mutating func trimEnd() {
    while end > position, input[end - 1].isSpace { end -= 1 }
  }

  private mutating func skipBlanks() {
    while position < end, input[position].isSpace, input[position] != 0x0c { position += 1 }
  }

  private func isNext(_ byte: UInt8) -> Bool { position < end && input[position] == byte }

  /// Goes over a byte; false where another one comes next.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard isNext(byte) else { return false }
    position += 1
    return true
  }

  private mutating func note(_ message: String) {
    if slip == nil { slip = JSONFault(place: position, kind: .json, message: message) }
  }

  private func unexpected() -> JSONFault {
    let message = position < end ? "this cannot stand here in JSON" : "the JSON ends too early"
    return JSONFault(place: position, kind: .json, message: message)
  }

  private mutating func skipSpace() throws(JSONFault) {
    while true {
      skipBlanks()
      guard isLenient, position < end else { return }
      let close: String
      if has("//") {
        close = "\n"
      } else if has("/*") {
        close = "*/"
      } else if has("<!--") {
        close = "-->"
      } else {
        return
      }
      note("a comment inside the JSON")
      position += close == "\n" ? 2 : close == "*/" ? 2 : 4
      while position < end, !has(close) { position += 1 }
      guard position < end else {
        if close == "\n" { return }
        throw unexpected()
      }
      position += close.utf8.count
    }
  }

  private mutating func value() throws(JSONFault) -> JSON {
    try skipSpace()
    guard position < end else { throw unexpected() }
    guard valuesLeft > 0 else {
      throw JSONFault(place: position, kind: .limit, message: "too many values of JSON")
    }
    valuesLeft -= 1
    switch input[position] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONFault) -> JSON {
    for byte in word.utf8 {
      guard take(byte) else { throw unexpected() }
    }
    return value
  }

  private mutating func enter() throws(JSONFault) {
    guard depth < Self.depthLimit else {
      throw JSONFault(
        place: position, kind: .jsonDepth, message: "nested deeper than \(Self.depthLimit) levels")
    }
    depth += 1
    position += 1
  }

  /// Moves to the next element; false at the closing byte.
  private mutating func more(isFirst: Bool, close: UInt8) throws(JSONFault) -> Bool {
    try skipSpace()
    if take(close) { return false }
    if isFirst { return true }
    guard take(UInt8(ascii: ",")) else { throw unexpected() }
    try skipSpace()
    guard isLenient, isNext(close) else { return true }
    note("a comma before the closing bracket")
    position += 1
    return false
  }

  private mutating func object() throws(JSONFault) -> JSON {
    try enter()
    var members = JSON.Members()
    var isFirst = true
    while try more(isFirst: isFirst, close: UInt8(ascii: "}")) {
      isFirst = false
      guard isNext(UInt8(ascii: "\"")) else { throw unexpected() }
      let key = try string()
      try skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected() }
      members[key] = try value()
    }
    depth -= 1
    return .object(members)
  }

  private mutating func array() throws(JSONFault) -> JSON {
    try enter()
    var values: [JSON] = []
    while try more(isFirst: values.isEmpty, close: UInt8(ascii: "]")) { values.append(try value()) }
    depth -= 1
    return .array(values)
  }

  private mutating func digits() throws(JSONFault) {
    guard position < end, input[position].isDigit else { throw unexpected() }
    while position < end, input[position].isDigit { position += 1 }
  }

  private mutating func number() throws(JSONFault) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if position < end, input[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return String(decoding: input[start..<position], as: UTF8.self)
  }
}

extension JSONReader {
  private mutating func string() throws(JSONFault) -> String {
    position += 1
    var result: [UInt8] = []
    while true {
      let start = position
      while position < end, input[position] >= 0x20, input[position] != 0x22,
        input[position] != 0x5c
      {
        position += 1
      }
      result += input[start..<position]
      guard position < end else { throw unexpected() }
      switch input[position] {
      case 0x22:
        position += 1
        return String(decoding: result, as: UTF8.self)
      case 0x5c: try escape(&result)
      default:
        guard isLenient else { throw unexpected() }
        note("a control character inside a text")
        result += input[position] == 0 ? [0xef, 0xbf, 0xbd] : [input[position]]
        position += 1
      }
    }
  }

  private mutating func escape(_ result: inout [UInt8]) throws(JSONFault) {
    position += 1
    guard position < end else { throw unexpected() }
    let byte = input[position]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0c)
    case UInt8(ascii: "n"): result.append(0x0a)
    case UInt8(ascii: "r"): result.append(0x0d)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      return try unicodeEscape(&result)
    default: throw unexpected()
    }
    position += 1
  }

  private mutating func unit() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < end, input[position].isHexDigit else { throw unexpected() }
      value = value << 4 | UInt32(input[position].hexValue)
      position += 1
    }
    return value
  }

  /// Half a surrogate pair alone is U+FFFD.
  private mutating func unicodeEscape(_ result: inout [UInt8]) throws(JSONFault) {
    var value = try unit()
    if value >> 10 == 0x36, has("\\u") {
      let start = position
      position += 2
      let low = try unit()
      if low >> 10 == 0x37 {
        value = 0x10000 + (value & 0x3ff) << 10 + (low & 0x3ff)
      } else {
        position = start
      }
    }
    result += String(Character(Unicode.Scalar(value) ?? "\u{fffd}")).utf8
  }
}
