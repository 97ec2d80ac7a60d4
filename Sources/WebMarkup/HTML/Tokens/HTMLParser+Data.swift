extension HTMLParser {
  /// Text, and what a `<` begins.
  mutating func readData() {
    let start = position
    let end = min(start + Self.pieceByteCount, input.count)
    while position < end, input[position] != 0x3c, input[position] != 0x26 { position += 1 }
    pending += input[start..<position]
    flushLongText()
    guard position < end else { return }
    if input[position] == 0x26 {
      readReference(inAttribute: false)
    } else {
      readMarkup()
    }
  }

  private mutating func readMarkup() {
    let place = position
    let next = position + 1 < input.count ? input[position + 1] : 0
    switch next {
    case _ where next.isLetter:
      position += 1
      readTag(place, isEnd: false)
    case UInt8(ascii: "/"): readEndTag(place)
    case UInt8(ascii: "!"): readDeclaration(place)
    case UInt8(ascii: "?"):
      position += 1
      readBogusComment(place)
    default:
      pending.append(0x3c)
      position += 1
    }
  }

  private mutating func readEndTag(_ place: Int) {
    guard position + 2 < input.count else {
      pending += [0x3c, 0x2f]
      position += 2
      return
    }
    let next = input[position + 2]
    position += 2
    if next.isLetter {
      readTag(place, isEnd: true)
    } else if next == 0x3e {
      position += 1
    } else {
      readBogusComment(place)
    }
  }

  private mutating func readDeclaration(_ place: Int) {
    if hasPrefix("--", at: position + 2) {
      position += 4
      readComment(place)
    } else if hasPrefix("doctype", at: position + 2, ignoringCase: true) {
      position += 9
      readDoctype(place)
    } else if hasPrefix("[CDATA[", at: position + 2), let current = open.last,
      isXML || current.space != .html
    {
      position += 9
      let start = position
      while position < input.count, !hasPrefix("]]>", at: position) { position += 1 }
      pending += input[start..<position]
      position = min(position + 3, input.count)
    } else {
      position += 2
      readBogusComment(place)
    }
  }

  private mutating func readBogusComment(_ place: Int) {
    let comment = take { $0 != 0x3e }
    emitComment(comment, place)
    position = min(position + 1, input.count)
  }

  /// A comment behind its `<!--`.
  private mutating func readComment(_ place: Int) {
    let start = position
    if hasPrefix(">", at: position) || hasPrefix("->", at: position) {
      emitComment(start..<start, place)
      position += input[position] == 0x3e ? 1 : 2
      return
    }
    while position < input.count {
      if input[position] == 0x2d {
        if hasPrefix("-->", at: position) || hasPrefix("--!>", at: position) {
          emitComment(start..<position, place)
          position += input[position + 2] == 0x3e ? 3 : 4
          return
        }
      }
      position += 1
    }
    let rest = input[start...]
    let close = ["--!", "--", "-"].first { rest.suffix($0.utf8.count).elementsEqual($0.utf8) }
    emitComment(start..<input.count - (close?.utf8.count ?? 0), place)
  }

  private mutating func emitComment(_ range: Range<Int>, _ place: Int) {
    flushText()
    let start = tree.bytes.count
    tree.bytes += source(range)
    processComment(Int32(start), Int32(tree.bytes.count - start), place)
  }

  /// A part of the source, U+FFFD for NUL.
  func source(_ range: Range<Int>) -> ArraySlice<UInt8> { input[range].replacingNUL }

  /// Adds a part of the source to the text, as ``source(_:)`` gives it.
  mutating func addText(_ range: Range<Int>) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceByteCount) {
      pending += source(start..<min(start + Self.pieceByteCount, range.upperBound))
      flushLongText()
    }
  }

  private static let pieceByteCount = 1 << 16

  /// Puts long text into the tree before its end is read, so that it is there once.
  ///
  /// Inside a table all of a text says where it goes.
  private mutating func flushLongText() {
    guard pending.count >= Self.pieceByteCount else { return }
    switch mode {
    case .inTable, .inTableBody, .inRow: break
    default: flushText()
    }
  }
}

extension ArraySlice<UInt8> {
  /// With U+FFFD for NUL.
  var replacingNUL: ArraySlice<UInt8> {
    guard contains(0) else { return self }
    var result: [UInt8] = []
    for byte in self { if byte == 0 { result += [0xef, 0xbf, 0xbd] } else { result.append(byte) } }
    return result[...]
  }
}
