/// Reads JSON (RFC 8259, strictly) and writes canonical CBOR, in one pass over the bytes.
///
/// The text is handed to every call instead of being kept, and the buffers are kept from one text
/// to the next.
struct JSONTranscoder: ~Copyable {
  /// Whether an object in which a key comes twice is refused; else the last of them counts.
  var refusesDuplicateKeys = false
  /// Whether half a surrogate pair stands for U+FFFD; else it is refused.
  var replacesHalfPairs = false
  /// How many arrays and objects may stand inside one another.
  var depthMax = EventLimits.depth
  /// What has been written so far.
  var out: [UInt8] = []
  /// The next byte of the text to read.
  var position = 0
  /// Where an object begins in which a key came twice, outside of attributes.
  private(set) var duplicateKeyPlace: Int?
  /// Arrays and objects open around the position.
  private var depth = 0
  /// Members of the objects that are open, outermost first.
  private var members: [MapMember] = []
  private var ordered: [UInt8] = []

  /// Forgets the last text.
  mutating func reset() {
    out.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    position = 0
    duplicateKeyPlace = nil
    depth = 0
  }

  /// Moves to the next byte that is not white space and returns it, or 0 at the end: a NUL is
  /// never right outside a string, so both end in the same error.
  mutating func next(_ text: Span<UInt8>) -> UInt8 {
    while position < text.count {
      let byte = text[position]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      position += 1
    }
    return 0
  }

  /// Reads an exact word such as `true`.
  mutating func word(_ text: Span<UInt8>, _ word: StaticString) throws(CairnError) {
    let end = position + word.utf8CodeUnitCount
    guard end <= text.count, word.matches(text, position..<end) else { throw unexpected(text) }
    position = end
  }

  /// What is wrong with the byte at the position, or with there being none.
  func unexpected(_ text: Span<UInt8>) -> CairnError {
    guard position < text.count else {
      return CairnError(.badEvent, "the JSON ends too early", at: position)
    }
    if position == 0, text[0] == 0xef {
      return CairnError(.badEvent, "a byte-order mark comes before the JSON; remove it", at: 0)
    }
    return CairnError(.badEvent, "this byte cannot stand here in JSON", at: position)
  }

  /// What is wrong with a line that does not begin an object.
  func notAnObject(_ text: Span<UInt8>) -> CairnError {
    guard position < text.count, text[position] != 0xef else { return unexpected(text) }
    return CairnError(.badEvent, "an event is one JSON object", at: position)
  }

  /// Goes one level deeper.
  mutating func enter() throws(CairnError) {
    guard depth < depthMax else {
      throw CairnError(.badEvent, "nested deeper than \(depthMax) levels; flatten it", at: position)
    }
    depth += 1
    position += 1
  }

  mutating func leave() {
    depth -= 1
    position += 1
  }

  /// Moves behind the comma before the next element; false at the closing byte.
  mutating func more(_ text: Span<UInt8>, isFirst: Bool, close: UInt8) throws(CairnError) -> Bool {
    let byte = next(text)
    if byte == close { return false }
    if isFirst { return true }
    guard byte == UInt8(ascii: ",") else { throw unexpected(text) }
    position += 1
    guard next(text) != close else { throw unexpected(text) }
    return true
  }

  /// Reads a key, writes it, and moves to its value; returns where the key was written.
  mutating func key(_ text: Span<UInt8>) throws(CairnError) -> Int {
    guard next(text) == UInt8(ascii: "\"") else { throw unexpected(text) }
    let start = out.count
    try string(text)
    guard next(text) == UInt8(ascii: ":") else { throw unexpected(text) }
    position += 1
    return start
  }

  /// Reads a key without escapes and moves to its value; gives its bytes in the text.
  ///
  /// Nil, without having moved, for a key that has escapes or is none at all: ``key(_:)`` tells.
  mutating func plainKey(_ text: Span<UInt8>) throws(CairnError) -> Range<Int>? {
    guard next(text) == UInt8(ascii: "\""), let key = plainString(text) else { return nil }
    guard next(text) == UInt8(ascii: ":") else { throw unexpected(text) }
    position += 1
    return key
  }

  /// Reads a string of plain characters; gives its bytes in the text.
  ///
  /// Nil, without having moved, for any other.
  mutating func plainString(_ text: Span<UInt8>) -> Range<Int>? {
    let end = TextScan.plainEnd(text, from: position + 1)
    guard end < text.count, text[end] == UInt8(ascii: "\"") else { return nil }
    defer { position = end + 1 }
    return position + 1..<end
  }

  /// Takes back what was written from a place on.
  mutating func discard(from start: Int) { out.removeSubrange(start...) }

  // MARK: Maps

  /// What is wrong with an object in which a key comes twice.
  static func duplicateKey(at place: Int) -> CairnError {
    CairnError(.badEvent, "a key comes twice in an object", at: place)
  }

  /// Opens a map whose object was just entered; returns the mark that ``closeMap`` needs.
  func openMap() -> (members: Int, out: Int, text: Int) { (members.count, out.count, position - 1) }

  mutating func addMember(key: Int, value: Int) {
    members.append(MapMember(key: key, value: value, end: out.count))
  }

  /// Puts the members written since the mark into canonical order under their head.
  mutating func closeMap(_ mark: (members: Int, out: Int, text: Int)) throws(CairnError) {
    ordered.removeAll(keepingCapacity: true)
    if !members.makeCanonical(from: mark.members, out) {
      guard !refusesDuplicateKeys else { throw Self.duplicateKey(at: mark.text) }
      duplicateKeyPlace = mark.text
    }
    ordered.appendHead(.map, members.count - mark.members)
    for index in mark.members..<members.count {
      ordered.append(out, members[index].key..<members[index].end)
    }
    discard(from: mark.out)
    out.append(ordered, 0..<ordered.count)
    members.removeLast(members.count - mark.members)
  }
}
