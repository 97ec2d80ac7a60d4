extension HTMLParser {
  mutating func readPlainText() {
    addText(position..<input.count)
    position = input.count
  }

  /// Text up to the end tag of the element it is in.
  mutating func readRawText(references: Bool) {
    var start = position
    while position < input.count {
      let byte = input[position]
      if byte == 0x3c, endsContent(at: position) {
        addText(start..<position)
        return leaveContent()
      }
      if references, byte == 0x26 {
        addText(start..<position)
        readReference(inAttribute: false)
        start = position
      } else {
        position += 1
      }
    }
    addText(start..<position)
  }

  /// A script up to its end tag: one inside `<!-- <script>` does not end it.
  mutating func readScript() {
    let start = position
    /// 0 plain, 1 behind `<!--`, 2 behind `<script` in that.
    var level = 0
    while position < input.count {
      switch input[position] {
      case 0x3c:
        if level == 0, hasPrefix("<!--", at: position) {
          level = 1
          position += 2
        } else if level < 2, endsContent(at: position) {
          noteScript(start..<position)
          addText(start..<position)
          return leaveContent()
        } else if level == 1, isScriptTag("<script", at: position) {
          level = 2
          position += 7
        } else if level == 2, isScriptTag("</script", at: position) {
          level = 1
          position += 8
        } else {
          position += 1
        }
      case 0x2d where level > 0 && hasPrefix("-->", at: position):
        level = 0
        position += 3
      default: position += 1
      }
    }
    noteScript(start..<position)
    addText(start..<position)
  }

  private mutating func noteScript(_ range: Range<Int>) {
    if let script = open.last?.node { tree.scripts[script] = range }
  }

  private func isScriptTag(_ prefix: StaticString, at place: Int) -> Bool {
    let end = place + prefix.utf8CodeUnitCount
    guard end < input.count, hasPrefix(prefix, at: place, ignoringCase: true) else { return false }
    return input[end].endsName
  }

  /// Whether the end tag of the raw text stands here.
  private func endsContent(at place: Int) -> Bool {
    guard place + 1 < input.count, input[place + 1] == 0x2f else { return false }
    var end = place + 2
    while end < input.count, input[end].isLetter { end += 1 }
    guard end < input.count, input[end].endsName else { return false }
    return tags.value(input, place + 2..<end) == contentTag
  }

  private mutating func leaveContent() {
    content = .data
    let place = position
    position += 2
    readTag(place, isEnd: true)
  }
}
