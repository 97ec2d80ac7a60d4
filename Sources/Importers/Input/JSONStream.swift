import Events

/// JSON read as it stands in a file: members and elements one after the other, each as a value of
/// its own or walked into.
///
/// Memory for one value at a time.
final class JSONStream {
  /// What a value is, by its first byte.
  enum Kind { case object, array, string, other }

  /// One value: itself, or why it is none.
  enum Element {
    case value(JSONValue)
    case malformed(String)
  }

  private var stream: ByteStream
  private var at = 0
  private var depth = 0
  /// Bytes of pieces that are done with.
  private var before = 0
  /// The bytes of the value that was taken last; none where it is too large.
  private(set) var taken: [UInt8] = []
  /// Whether an object that was walked into, or a value, went on in another line.
  private(set) var hasSpannedLines = false
  /// Whether no object that is walked into, and no value, goes on in another line.
  var isByLine = false
  /// What the pieces before this one hold since ``begin()``, and where in this one the rest begins.
  private var begun: (before: [UInt8], start: Int)?

  /// More than any record of a history is long.
  static let valueByteCountMax = 8 << 20
  /// Objects and arrays that are walked into, inside one another.
  private static let depthMax = 512

  init(_ stream: ByteStream) throws(CairnError) {
    self.stream = stream
    if try peek() == 0xEF { for byte in [0xEF, 0xBB, 0xBF] as [UInt8] { try expect(byte) } }
  }

  /// The same file from its beginning.
  func again() throws(CairnError) -> JSONStream { try JSONStream(try stream.again()) }

  var position: Int { before + at }

  /// What comes next.
  /// - Throws: `CairnError` at the end of the file.
  func kind() throws(CairnError) -> Kind {
    switch try needed() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    default: .other
    }
  }

  /// Whether nothing but white space is left.
  func isAtEnd() throws(CairnError) -> Bool { try afterSpace() == nil }

  /// Gives the key of every member of an object; the body takes the value by one of these calls.
  func members(_ body: (String) throws(CairnError) -> Void) throws(CairnError) {
    try enter("{")
    if try needed() == UInt8(ascii: "}") { return try leave() }
    while true {
      guard case .value(.string(let key)) = try value() else {
        throw malformed("a key that is no text")
      }
      try expectAfterSpace(UInt8(ascii: ":"))
      try body(key)
      if try needed() == UInt8(ascii: "}") { return try leave() }
      try expectAfterSpace(UInt8(ascii: ","))
      guard try needed() != UInt8(ascii: "}") else { throw malformed(Self.afterComma) }
    }
  }

  private static let afterComma = "nothing stands where a comma says that more comes"

  /// Gives the number of every element of an array, from 0; the body takes the value.
  func elements(_ body: (Int) throws(CairnError) -> Void) throws(CairnError) {
    try enter("[")
    if try needed() == UInt8(ascii: "]") { return try leave() }
    var index = 0
    while true {
      try body(index)
      index += 1
      if try needed() == UInt8(ascii: "]") { return try leave() }
      try expectAfterSpace(UInt8(ascii: ","))
    }
  }

  private func enter(_ bracket: Unicode.Scalar) throws(CairnError) {
    try expectAfterSpace(UInt8(ascii: bracket))
    depth += 1
    guard depth <= Self.depthMax else {
      throw malformed("nested deeper than \(Self.depthMax) levels")
    }
  }

  private func leave() throws(CairnError) {
    at += 1
    depth -= 1
  }

  /// Passes over a value.
  func skip() throws(CairnError) { _ = try scan(keeps: false) }

  /// Takes a value whole.
  func value() throws(CairnError) -> Element {
    taken = []
    guard let bytes = try scan(keeps: true) else {
      return .malformed("a value larger than \(Self.valueByteCountMax >> 20) MiB")
    }
    taken = bytes
    guard !bytes.isEmpty else { return .malformed(Self.afterComma) }
    do throws(CairnError) {
      return .value(try JSONValue(parsing: bytes.span, replacesHalfPairs: true))
    } catch { return .malformed(error.message) }
  }

  /// The bytes of one value, by its brackets and quotes; nil where it is too large.
  private func scan(keeps: Bool) throws(CairnError) -> [UInt8]? {
    var kept: [UInt8] = []
    var isTooLarge = false
    _ = try needed()
    var extent = ValueExtent(isByLine: isByLine)
    while !extent.isDone {
      if at >= stream.chunk.count, try peek() == nil {
        // A number or word may end with the file.
        if extent.isScalar { break }
        throw malformed("the file ends in the middle")
      }
      let start = at
      at = extent.end(in: stream.chunk, from: start)
      guard !extent.isCut else { throw malformed("the line ends in the middle") }
      if keeps { append(stream.chunk[start..<at], to: &kept, &isTooLarge) }
    }
    hasSpannedLines = hasSpannedLines || extent.hasNewline
    return isTooLarge ? nil : kept
  }

  private func append(_ bytes: ArraySlice<UInt8>, to kept: inout [UInt8], _ isTooLarge: inout Bool)
  {
    guard !isTooLarge, kept.count + bytes.count <= Self.valueByteCountMax else {
      isTooLarge = true
      kept = []
      return
    }
    kept += bytes
  }

  /// Goes on with the line after the one that has a byte, if an object begins there.
  /// - Returns: The line from that byte on; nil where the reading stays where it is.
  func goOn(afterLineOf place: Int) throws(CairnError) -> [UInt8]? {
    let former = (stream, at, before, depth)
    begun = nil
    stream = try stream.again()
    (at, before, depth) = (0, 0, 0)
    while try peek() != nil, before + stream.chunk.count <= place { at = stream.chunk.count }
    at = min(max(at, place - before), stream.chunk.count)
    begin()
    let line = try skipLine()
    if try afterSpace() == UInt8(ascii: "{") { return line }
    begun = nil
    (stream, at, before, depth) = former
    return nil
  }

  /// Notes that an object begins here.
  func begin() { begun = ([], at) }

  /// What was read since ``begin()``; nothing of what is too large.
  var bytesSinceBegin: [UInt8] {
    guard let begun, begun.before.count <= Self.valueByteCountMax else { return [] }
    return begun.before + stream.chunk[begun.start..<at]
  }

  /// Passes over what is left of a line, whatever it was in the middle of.
  /// - Returns: The line.
  func skipLine() throws(CairnError) -> [UInt8] {
    while let byte = try peek(), byte != 0x0A { at += 1 }
    depth = 0
    return bytesSinceBegin
  }

  // MARK: Bytes

  private func peek() throws(CairnError) -> UInt8? {
    while at >= stream.chunk.count {
      if let start = begun?.start, (begun?.before.count ?? 0) <= Self.valueByteCountMax {
        begun?.before += stream.chunk[start...]
      }
      let done = before + stream.chunk.count
      var hasNext = false
      // What cannot be unpacked any more leaves the place at its end, too.
      defer {
        at = hasNext ? 0 : stream.chunk.count
        before = hasNext ? done : done - stream.chunk.count
        begun?.start = at
      }
      hasNext = try stream.next()
      guard hasNext else { return nil }
    }
    return stream.chunk[at]
  }

  private func afterSpace() throws(CairnError) -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      if byte == 0x0A, depth > 0 {
        guard !isByLine else { throw malformed("the line ends in the middle") }
        hasSpannedLines = true
      }
      at += 1
    }
    return nil
  }

  private func needed() throws(CairnError) -> UInt8 {
    guard let byte = try afterSpace() else { throw malformed("the file ends in the middle") }
    return byte
  }

  private func expectAfterSpace(_ byte: UInt8) throws(CairnError) {
    _ = try needed()
    try expect(byte)
  }

  private func expect(_ byte: UInt8) throws(CairnError) {
    guard try peek() == byte else { throw malformed("no JSON at byte \(position)") }
    at += 1
  }

  private func malformed(_ what: String) -> CairnError { CairnError(.malformed, what) }
}

/// How far a JSON value goes, told by brackets and quotes alone.
private struct ValueExtent {
  private let isByLine: Bool
  private var open = 0
  private var isInString = false
  private var isEscaped = false
  private(set) var isDone = false
  /// Whether it goes on in another line.
  private(set) var hasNewline = false

  init(isByLine: Bool) { self.isByLine = isByLine }

  /// Whether its line has ended in its middle.
  var isCut: Bool { isByLine && hasNewline }

  /// Whether what was seen is a number or a word, as far as it goes.
  var isScalar: Bool { open == 0 && !isInString }

  /// Where the value ends in a piece, or the piece.
  mutating func end(in bytes: [UInt8], from start: Int) -> Int {
    var at = start
    while at < bytes.count {
      let byte = bytes[at]
      if byte == 0x0A, !isScalar {
        hasNewline = true
        if isByLine { return at }
      }
      if isInString {
        at += 1
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
          isDone = open == 0
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          isDone = open <= 1
          // The bracket that ends what this value is in stays.
          if open == 0 { return at }
          open -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
          isDone = open == 0
          if isDone { return at }
        default: break
        }
        at += 1
      }
      if isDone { return at }
    }
    return at
  }
}

extension JSONValue {
  /// The value of a whole document; nil where it is no JSON.
  init?(bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes.span, replacesHalfPairs: true) else {
      return nil
    }
    self = value
  }

  /// The member of an object; nil where there is none or it is null.
  subscript(_ key: String) -> JSONValue? {
    let value = object?[key]
    return value == .null ? nil : value
  }

  var elements: [JSONValue] { array ?? [] }

  var isObject: Bool { if case .object = self { true } else { false } }

  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// A whole number, also one that is written as a text.
  var integer: Int64? {
    switch self {
    case .number(let text), .string(let text):
      Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    default: nil
    }
  }

  var double: Double? {
    switch self {
    case .number(let text), .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}
