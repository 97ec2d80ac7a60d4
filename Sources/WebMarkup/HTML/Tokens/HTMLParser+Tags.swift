extension HTMLParser {
  /// A tag from its name on; one that never ends is no tag.
  mutating func readTag(_ place: Int, isEnd: Bool) {
    flushText()
    let name = take { !$0.endsName }
    let first = tree.attributes.count
    if !nameHashes.isEmpty { nameHashes = [] }
    var token = makeToken(name, isEnd: isEnd, place: place)
    while position < input.count {
      let byte = input[position]
      if byte.isSpace {
        position += 1
      } else if byte == 0x2f {
        position += 1
        token.isSelfClosing = isNext(0x3e)
      } else if byte == 0x3e {
        position += 1
        token.attributes = Int32(first)
        token.attributeCount = Int32(tree.attributes.count - first)
        self.token = token
        let made = tree.nodes.count
        process()
        if isXML, token.isSelfClosing, !isEnd { closeEmpty(since: made) }
        return
      } else {
        readAttribute(first, ofTagAt: place)
      }
    }
    tree.attributes.removeSubrange(first...)
  }

  /// Ends the element that the tag has just made, where it is still open.
  private mutating func closeEmpty(since made: Int) {
    guard let current = open.last, Int(current.node) >= made, current.space == .html,
      current.tag == token.tag, current.mark == token.mark
    else { return }
    content = .data
    token.isEnd = true
    process()
  }

  private mutating func makeToken(_ name: Range<Int>, isEnd: Bool, place: Int) -> HTMLToken {
    if let tag = tags.value(input, name) {
      return HTMLToken(tag: tag, mark: Self.mark(tag), isEnd: isEnd, place: Int32(place))
    }
    let start = tree.bytes.count
    appendLowered(name)
    var mark: UInt32 = 0
    for byte in tree.bytes[start...] { mark = mark &* 31 &+ UInt32(byte) }
    var token = HTMLToken(
      tag: .other, mark: UInt16(256 + mark % 768), isEnd: isEnd, place: Int32(place))
    token.nameStart = Int32(start)
    token.nameCount = Int32(tree.bytes.count - start)
    return token
  }

  /// The mark of a known name.
  static func mark(_ tag: HTMLTag) -> UInt16 {
    // SAFETY: an enum of fewer than 256 cases without payload is one byte.
    UInt16(unsafe unsafeBitCast(tag, to: UInt8.self))
  }

  private mutating func appendLowered(_ range: Range<Int>) {
    tree.bytes += source(range).lazy.map(\.lowered)
  }

  private mutating func readAttribute(_ first: Int, ofTagAt place: Int) {
    let nameStart = position
    if input[position] == 0x3d { position += 1 }
    take { !$0.endsName && $0 != 0x3d }
    let name = nameStart..<position
    skipSpace()
    let start = tree.bytes.count
    if isNext(0x3d) {
      position += 1
      skipSpace()
      readValue()
    }
    guard tree.bytes.count - start <= HTMLLimits.attributeBytes else {
      tree.bytes.removeSubrange(start...)
      return note("an attribute is longer than \(HTMLLimits.attributeBytes) bytes", at: place)
    }
    addAttribute(name, Int32(start), first, place)
  }

  mutating func skipSpace() { take { $0.isSpace } }

  /// Goes on while the bytes are such, and says which these were.
  @discardableResult mutating func take(while isPart: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while position < input.count, isPart(input[position]) { position += 1 }
    return start..<position
  }

  func isNext(_ byte: UInt8) -> Bool { position < input.count && input[position] == byte }

  private mutating func readValue() {
    guard position < input.count else { return }
    let quote = input[position]
    let isQuoted = quote == 0x22 || quote == 0x27
    if isQuoted { position += 1 } else if quote == 0x3e { return }
    while position < input.count {
      let part = take { $0 != 0x26 && (isQuoted ? $0 != quote : !$0.isSpace && $0 != 0x3e) }
      tree.bytes += source(part)
      guard position < input.count else { return }
      guard input[position] == 0x26 else {
        if isQuoted { position += 1 }
        return
      }
      readReference(inAttribute: true)
    }
  }

  private mutating func addAttribute(
    _ name: Range<Int>, _ start: Int32, _ first: Int, _ place: Int
  ) {
    guard tree.attributes.count - first < HTMLLimits.attributes else {
      return note("an element has more than \(HTMLLimits.attributes) attributes", at: place)
    }
    guard tree.attributes.count < HTMLLimits.nodes else {
      return note("a page has more than \(HTMLLimits.nodes) attributes", at: place)
    }
    var attribute = HTMLAttribute(
      name: attributeNames.value(input, name) ?? .other, start: start,
      count: Int32(tree.bytes.count) - start)
    if attribute.name == .other {
      attribute.nameStart = Int32(tree.bytes.count)
      appendLowered(name)
      attribute.nameCount = Int32(tree.bytes.count) - attribute.nameStart
    }
    if isNew(attribute, first) { tree.attributes.append(attribute) }
  }

  /// Whether the tag has no attribute of that name yet.
  private mutating func isNew(_ attribute: HTMLAttribute, _ first: Int) -> Bool {
    let count = tree.attributes.count - first
    // Looking up costs more than comparing with a few.
    guard count >= Self.comparedCount else {
      for index in first..<tree.attributes.count
      where tree.haveEqualNames(tree.attributes[index], attribute) { return false }
      return true
    }
    if nameHashes.isEmpty {
      nameHashes = Set(tree.attributes[first...].map { tree.nameHash($0) })
    }
    return nameHashes.insert(tree.nameHash(attribute)).inserted
  }

  private static let comparedCount = 16
}

/// Names and values by the thousand are told apart by hashes that differ from run to run: nobody
/// can write two of one.
extension HTMLTree {
  /// A hash of an attribute's name.
  func nameHash(_ attribute: HTMLAttribute) -> Int {
    var hasher = Hasher()
    add(nameOf: attribute, to: &hasher)
    return hasher.finalize()
  }

  /// A hash of an element's attributes, in whatever order they are.
  func attributesHash(_ node: HTMLNodeID) -> Int {
    let node = self[node]
    return attributeList(node.start, node.count).reduce(0) { sum, attribute in
      var hasher = Hasher()
      add(nameOf: attribute, to: &hasher)
      hasher.combine(bytes[Int(attribute.start)..<Int(attribute.start) + Int(attribute.count)])
      return sum &+ hasher.finalize()
    }
  }

  private func add(nameOf attribute: HTMLAttribute, to hasher: inout Hasher) {
    hasher.combine(attribute.name)
    let start = Int(attribute.nameStart)
    hasher.combine(bytes[start..<start + Int(attribute.nameCount)])
  }

  /// Whether two attributes are called the same.
  func haveEqualNames(_ a: HTMLAttribute, _ b: HTMLAttribute) -> Bool {
    guard a.name == b.name, a.nameCount == b.nameCount else { return false }
    return a.name != .other || areEqual(a.nameStart, b.nameStart, count: a.nameCount)
  }

  /// Whether two stretches of the bytes are the same.
  func areEqual(_ a: Int32, _ b: Int32, count: Int32) -> Bool {
    for offset in 0..<Int(count) where bytes[Int(a) + offset] != bytes[Int(b) + offset] {
      return false
    }
    return true
  }
}
