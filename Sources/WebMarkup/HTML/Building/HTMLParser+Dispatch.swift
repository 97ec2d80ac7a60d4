/// Which rules a token falls under (13.2.6).
extension HTMLParser {
  /// Puts the tag that was just read into the tree.
  mutating func process() {
    ignoresLineFeed = false
    dispatch()
  }

  /// The tag again, by the mode as it is now.
  mutating func dispatch() {
    if isStopped { return }
    if let current = open.last, current.space != .html, !takesHTMLTag(current) {
      return token.isEnd ? endForeign() : startForeign()
    }
    processByMode()
  }

  mutating func processByMode() {
    switch mode {
    case .initial: dispatchInNextMode()
    case .beforeHTML: tagBeforeHTML()
    case .beforeHead: tagBeforeHead()
    case .inHead: tagInHead()
    case .inHeadNoscript: tagInHeadNoscript()
    case .afterHead: tagAfterHead()
    case .inBody: tagInBody()
    case .text: endContent()
    case .inTable: tagInTable()
    case .inCaption: tagInCaption()
    case .inColumnGroup: tagInColumnGroup()
    case .inTableBody: tagInTableBody()
    case .inRow: tagInRow()
    case .inCell: tagInCell()
    case .inTemplate: tagInTemplate()
    case .afterBody, .afterAfterBody: tagAfterBody()
    case .inFrameset, .afterFrameset, .afterAfterFrameset: tagAroundFrameset()
    }
  }

  private func takesHTMLTag(_ element: HTMLOpenElement) -> Bool {
    guard !token.isEnd else { return false }
    if element.isMathMLText { return token.tag != .mglyph && token.tag != .malignmark }
    if element.tag == .annotationXML, element.space == .mathML, token.tag == .svg { return true }
    return isHTMLIntegrationPoint(element)
  }

  func isHTMLIntegrationPoint(_ element: HTMLOpenElement) -> Bool {
    if element.isSVGText { return true }
    guard element.tag == .annotationXML, element.space == .mathML else { return false }
    let encoding = tree.attribute(element.node, .encoding)?.lowercased()
    return encoding == "text/html" || encoding == "application/xhtml+xml"
  }

  mutating func processComment(_ start: Int32, _ count: Int32, _ place: Int) {
    switch mode {
    case .initial, .beforeHTML, .afterAfterBody, .afterAfterFrameset:
      insertComment(start, count, place, into: 0)
    case .afterBody: insertComment(start, count, place, into: open.first?.node ?? 0)
    default: insertComment(start, count, place)
    }
  }

  /// Hands the characters read so far to the tree.
  mutating func flushText() {
    guard !pending.isEmpty, !isStopped else { return }
    var text = pending
    pending.removeAll(keepingCapacity: text.count < 1 << 16)
    if ignoresLineFeed, text.first == 0x0a { text.removeFirst() }
    ignoresLineFeed = false
    processText(text[...])
  }

  private mutating func processText(_ all: ArraySlice<UInt8>) {
    var text = all
    while !text.isEmpty, !isStopped {
      if let current = open.last, current.space != .html, !current.isMathMLText,
        !isHTMLIntegrationPoint(current)
      {
        return insertForeignText(text)
      }
      switch mode {
      case .inBody, .inCaption, .inCell, .inTemplate: return insertBodyText(text)
      case .text: return insertText(text)
      case .inTable, .inTableBody, .inRow: return insertTableText(text)
      default:
        let end = text.firstIndex { !$0.isSpace } ?? text.endIndex
        if end > text.startIndex { insertSpace(text[..<end]) }
        text = text[end...]
        if !text.isEmpty, !leaveMode() { text.removeFirst() }
      }
    }
  }

  /// White space where other characters are not taken.
  private mutating func insertSpace(_ space: ArraySlice<UInt8>) {
    switch mode {
    case .initial, .beforeHTML, .beforeHead: break
    case .afterBody, .afterAfterBody, .afterAfterFrameset: insertBodyText(space)
    default: insertText(space)
    }
  }

  /// The tag again, by the mode after this one.
  mutating func dispatchInNextMode() {
    if leaveMode() { dispatch() }
  }

  /// Goes on to the mode that takes what this one does not; false where that is dropped instead.
  @discardableResult mutating func leaveMode() -> Bool {
    switch mode {
    case .initial:
      tree.isQuirky = true
      mode = .beforeHTML
    case .beforeHTML: openRoot()
    case .beforeHead: openHead()
    case .inHead:
      pop()
      mode = .afterHead
    case .inHeadNoscript:
      pop()
      mode = .inHead
    case .afterHead:
      insertImplied(.body)
      mode = .inBody
    case .afterBody, .afterAfterBody: mode = .inBody
    case .inColumnGroup:
      guard currentIs(.colgroup) else { return false }
      pop()
      mode = .inTable
    default: return false
    }
    return true
  }

  private mutating func insertForeignText(_ text: ArraySlice<UInt8>) {
    if text.contains(where: { !$0.isSpace && $0 != 0 }) { mayHaveFrameset = false }
    insertText(text.replacingNUL)
  }

  private mutating func insertBodyText(_ text: ArraySlice<UInt8>) {
    let kept = text.contains(0) ? Array(text.filter { $0 != 0 })[...] : text
    guard !kept.isEmpty else { return }
    reconstructFormatting()
    insertText(kept)
    if kept.contains(where: { !$0.isSpace }) { mayHaveFrameset = false }
  }

  private mutating func insertTableText(_ text: ArraySlice<UInt8>) {
    switch open.last?.tag {
    case .table, .tbody, .template, .tfoot, .thead, .tr:
      if text.allSatisfy({ $0.isSpace || $0 == 0 }) { return insertText(text.filter { $0 != 0 }) }
    default: break
    }
    fostersParents = true
    insertBodyText(text)
    fostersParents = false
  }

  /// The end of the page: what every document has is made.
  mutating func processEnd() {
    if mode == .text { endContent() }
    token = HTMLToken(tag: .other, mark: 0, isEnd: false, place: Int32(input.count))
    while !isStopped {
      while isOpen(.template) { endTemplate() }
      switch mode {
      case .initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead:
        leaveMode()
      default: return
      }
    }
  }
}
