/// From the start of the page to its body (13.2.6.4.1–6).
extension HTMLParser {
  mutating func openRoot() {
    let attributes = token.tag == .html && !token.isEnd
    var root = HTMLToken(tag: .html, mark: Self.mark(.html), isEnd: false, place: token.place)
    if attributes {
      (root.attributes, root.attributeCount) = (token.attributes, token.attributeCount)
    }
    let node = makeElement(root, .html)
    guard node >= 0 else { return }
    tree.append(node, to: 0)
    push(HTMLOpenElement(node: node, tag: .html, space: .html, mark: root.mark))
    mode = .beforeHead
  }

  mutating func openHead() {
    insertImplied(.head)
    head = open.last?.node ?? -1
    mode = .inHead
  }

  /// Whether an end tag is one that opens what must come before it.
  private var isOpeningEnd: Bool {
    switch token.tag {
    case .head: mode == .beforeHTML || mode == .beforeHead
    case .body, .html, .br: true
    default: false
    }
  }

  mutating func tagBeforeHTML() {
    if token.isEnd, !isOpeningEnd { return }
    openRoot()
    if token.isEnd || token.tag != .html { dispatch() }
  }

  mutating func tagBeforeHead() {
    if token.isEnd {
      guard isOpeningEnd else { return }
    } else if token.tag == .html {
      return startInBody()
    } else if token.tag == .head {
      insertElement()
      head = open.last?.node ?? -1
      mode = .inHead
      return
    }
    dispatchInNextMode()
  }

  mutating func tagInHead() {
    if token.isEnd {
      switch token.tag {
      case .head:
        pop()
        mode = .afterHead
        return
      case .template: return endTemplate()
      case .body, .html, .br: break
      default: return
      }
    } else if startInHead() {
      return
    }
    dispatchInNextMode()
  }

  /// What a head may hold, wherever it stands; false for any other.
  mutating func startInHead() -> Bool {
    switch token.tag {
    case .html: startInBody()
    case .base, .basefont, .bgsound, .link, .meta:
      insertElement()
      pop()
    case .title: readContent(.escapable)
    case .noframes, .style: readContent(.raw)
    case .script: readContent(.script)
    case .noscript:
      insertElement()
      mode = .inHeadNoscript
    case .template: startTemplate()
    case .head: break
    default: return false
    }
    return true
  }

  /// Inserts an element that holds text alone.
  mutating func readContent(_ content: HTMLContent) {
    insertElement()
    self.content = content
    contentTag = token.tag
    originalMode = mode
    mode = .text
  }

  /// The end tag of such an element.
  mutating func endContent() {
    pop()
    mode = originalMode
  }

  private mutating func startTemplate() {
    let node = insertElement()
    guard node >= 0 else { return }
    let contents = addNode(HTMLNode(kind: .fragment))
    if contents >= 0 { tree.contents[node] = contents }
    pushMarker()
    mayHaveFrameset = false
    mode = .inTemplate
    templateModes.append(.inTemplate)
  }

  mutating func endTemplate() {
    guard isOpen(.template) else { return }
    generateAllImpliedEnds()
    popThrough(.template)
    clearFormattingToMarker()
    _ = templateModes.popLast()
    resetMode()
  }

  mutating func tagInHeadNoscript() {
    switch token.tag {
    case .noscript where token.isEnd:
      pop()
      mode = .inHead
      return
    case .br where token.isEnd: break
    case _ where token.isEnd: return
    case .html: return startInBody()
    case .basefont, .bgsound, .link, .meta, .noframes, .style:
      _ = startInHead()
      return
    case .head, .noscript: return
    default: break
    }
    dispatchInNextMode()
  }

  mutating func tagAfterHead() {
    if token.isEnd {
      if token.tag == .template { return endTemplate() }
      guard isOpeningEnd else { return }
    } else {
      switch token.tag {
      case .html: return startInBody()
      case .body:
        insertElement()
        mayHaveFrameset = false
        mode = .inBody
        return
      case .frameset:
        insertElement()
        mode = .inFrameset
        return
      case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template,
        .title:
        return insertInClosedHead()
      case .head: return
      default: break
      }
    }
    dispatchInNextMode()
  }

  private mutating func insertInClosedHead() {
    guard head >= 0 else { return }
    push(openElement(head))
    _ = startInHead()
    if let index = open.lastIndex(where: { $0.node == head }), index > 0 { removeOpen(at: index) }
  }
}
