/// End tags in the body (13.2.6.4.7), and what comes behind it.
extension HTMLParser {
  mutating func endInBody() {
    switch token.tag {
    case .template: endTemplate()
    case .body, .html:
      guard hasInScope(.body) else { return }
      mode = .afterBody
      if token.tag == .html { dispatch() }
    case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div,
      .dl, .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu,
      .nav, .ol, .pre, .search, .section, .select, .summary, .ul, .dd, .dt:
      endBlock()
    case .form: endForm()
    case .p:
      if !hasInScope(.p, .button) { insertParagraph() }
      closeParagraph()
    case .li:
      guard hasInScope(.li, .listItem) else { return }
      generateImpliedEnds(except: .li)
      popThrough(.li)
    case .h1, .h2, .h3, .h4, .h5, .h6: endHeading()
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
      adopt(token.tag)
    case .applet, .marquee, .object:
      guard hasInScope(token.tag) else { return }
      generateImpliedEnds()
      popThrough(token.tag)
      clearFormattingToMarker()
    case .br:
      token = HTMLToken(tag: .br, mark: Self.mark(.br), isEnd: false, place: token.place)
      startInBody()
    default: endOtherTag()
    }
  }

  private mutating func endBlock() {
    guard hasInScope(token.tag) else { return }
    generateImpliedEnds(except: token.tag == .dd || token.tag == .dt ? token.tag : .other)
    popThrough(token.tag)
  }

  private mutating func insertParagraph() {
    let end = token
    insertImplied(.p)
    token = end
  }

  private mutating func endHeading() {
    guard hasInScope(.plain, where: \.isHeading) else { return }
    generateImpliedEnds()
    popThrough(where: \.isHeading)
  }

  private mutating func endForm() {
    if isOpen(.template) {
      guard hasInScope(.form) else { return }
      generateImpliedEnds()
      return popThrough(.form)
    }
    let node = form
    form = -1
    guard node >= 0, hasInScope(.form),
      let index = open.lastIndex(where: { $0.node == node }), index > 0, isInScope(at: index)
    else { return }
    generateImpliedEnds()
    if let index = open.lastIndex(where: { $0.node == node }) { removeOpen(at: index) }
  }

  /// An end tag without rules of its own: closes the nearest of its name, up to a block.
  mutating func endOtherTag() {
    guard openMarks[Int(token.mark)] > 0 else { return }
    for index in open.indices.reversed() {
      let element = open[index]
      if element.space == .html, isNamedAsToken(element) {
        generateImpliedEnds(except: token.tag)
        while open.count > max(1, index) { pop() }
        return
      }
      if element.isSpecial { return }
    }
  }

  func isNamedAsToken(_ element: HTMLOpenElement) -> Bool {
    guard element.mark == token.mark, element.tag == token.tag else { return false }
    guard token.tag == .other else { return true }
    let node = tree[element.node]
    return node.nameCount == token.nameCount
      && tree.areEqual(node.nameStart, token.nameStart, count: token.nameCount)
  }

  mutating func tagAfterBody() {
    if token.tag == .html {
      if !token.isEnd { return startInBody() }
      if mode == .afterBody {
        mode = .afterAfterBody
        return
      }
    }
    dispatchInNextMode()
  }

  mutating func tagAroundFrameset() {
    switch token.tag {
    case .html where !token.isEnd: startInBody()
    case .html where mode == .afterFrameset: mode = .afterAfterFrameset
    case .noframes where !token.isEnd: _ = startInHead()
    case .frameset where mode == .inFrameset:
      if !token.isEnd {
        insertElement()
      } else if open.count > 1 {
        pop()
        if !currentIs(.frameset) { mode = .afterFrameset }
      }
    case .frame where mode == .inFrameset && !token.isEnd:
      insertElement()
      pop()
    default: break
    }
  }
}
