/// Start tags in the body (13.2.6.4.7).
extension HTMLParser {
  mutating func tagInBody() {
    if token.isEnd { endInBody() } else { startInBody() }
  }

  mutating func startInBody() {
    switch token.tag {
    case .html:
      if !isOpen(.template), let root = open.first { mergeAttributes(into: root.node) }
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
      _ = startInHead()
    case .body: startSecondBody()
    case .frameset: startLateFrameset()
    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
      .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p,
      .search, .section, .summary, .ul, .h1, .h2, .h3, .h4, .h5, .h6, .pre, .listing, .form, .li,
      .dd, .dt, .plaintext, .hr, .xmp, .table:
      startBlock()
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
      startFormatting()
    case .button:
      if hasInScope(.button) {
        generateImpliedEnds()
        popThrough(.button)
      }
      insertPhrase(keepsFrameset: false)
    case .applet, .marquee, .object:
      insertPhrase(keepsFrameset: false)
      pushMarker()
    case .area, .br, .embed, .img, .keygen, .wbr, .input, .param, .source, .track: startVoid()
    case .image:
      (token.tag, token.mark) = (.img, Self.mark(.img))
      dispatch()
    case .textarea:
      readContent(.escapable)
      ignoresLineFeed = true
      mayHaveFrameset = false
    case .iframe:
      mayHaveFrameset = false
      readContent(.raw)
    case .noembed: readContent(.raw)
    case .select, .option, .optgroup: startSelectPart()
    case .rb, .rtc, .rp, .rt:
      if hasInScope(.ruby) {
        generateImpliedEnds(except: token.tag == .rp || token.tag == .rt ? .rtc : .other)
      }
      insertElement()
    case .math, .svg:
      reconstructFormatting()
      insertElement(token.tag == .math ? .mathML : .svg)
      if token.isSelfClosing { pop() }
    case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr: break
    default: insertPhrase()
    }
  }

  /// An element among text.
  private mutating func insertPhrase(keepsFrameset: Bool = true) {
    reconstructFormatting()
    insertElement()
    if !keepsFrameset { mayHaveFrameset = false }
  }

  private mutating func startSecondBody() {
    guard open.count > 1, open[1].is(.body), !isOpen(.template) else { return }
    mayHaveFrameset = false
    mergeAttributes(into: open[1].node)
  }

  private mutating func startLateFrameset() {
    guard open.count > 1, open[1].is(.body), mayHaveFrameset else { return }
    tree.detach(open[1].node)
    while open.count > 1 { pop() }
    insertElement()
    mode = .inFrameset
  }

  private mutating func startBlock() {
    switch token.tag {
    case .form where form >= 0 && !isOpen(.template): return
    case .li: closeItem(.li)
    case .dd, .dt: closeItem(.dd, .dt)
    case .table where tree.isQuirky:
      insertElement()
      mayHaveFrameset = false
      mode = .inTable
      return
    default: break
    }
    closeParagraph()
    switch token.tag {
    case .xmp:
      reconstructFormatting()
      mayHaveFrameset = false
      return readContent(.raw)
    case .hr:
      if hasInScope(.select) { generateImpliedEnds() }
    case _ where token.tag.isHeading:
      if open.last?.isHeading == true { pop() }
    default: break
    }
    insertElement()
    switch token.tag {
    case .pre, .listing:
      ignoresLineFeed = true
      mayHaveFrameset = false
    case .form: if !isOpen(.template) { form = open.last?.node ?? -1 }
    case .plaintext: content = .plain
    case .hr:
      pop()
      mayHaveFrameset = false
    case .table:
      mayHaveFrameset = false
      mode = .inTable
    default: break
    }
  }

  /// Closes the list item before this one.
  private mutating func closeItem(_ tags: HTMLTag...) {
    mayHaveFrameset = false
    for element in open.reversed() {
      if element.space == .html, tags.contains(element.tag) {
        generateImpliedEnds(except: element.tag)
        popThrough(element.tag)
        return
      }
      if element.isSpecial, !element.is(.address), !element.is(.div), !element.is(.p) { return }
    }
  }

  private mutating func startFormatting() {
    if token.tag == .a, let link = lastFormatting(.a) {
      let old = formatting[link].node
      adopt(.a)
      formatting.removeAll { $0.node == old }
      if let index = open.lastIndex(where: { $0.node == old }) { removeOpen(at: index) }
    }
    reconstructFormatting()
    if token.tag == .nobr, hasInScope(.nobr) {
      adopt(.nobr)
      reconstructFormatting()
    }
    let node = insertElement()
    if node >= 0 { pushFormatting(node) }
  }

  private mutating func startVoid() {
    switch token.tag {
    case .param, .source, .track: break
    case .input:
      if hasInScope(.select) { popThrough(.select) }
      reconstructFormatting()
    default: reconstructFormatting()
    }
    insertElement()
    pop()
    switch token.tag {
    case .param, .source, .track: break
    case .input where isHidden: break
    default: mayHaveFrameset = false
    }
  }

  private mutating func startSelectPart() {
    let isInSelect = hasInScope(.select)
    if token.tag == .select {
      guard !isInSelect else { return popThrough(.select) }
      return insertPhrase(keepsFrameset: false)
    }
    if isInSelect {
      generateImpliedEnds(except: token.tag == .option ? .optgroup : .other)
    } else if currentIs(.option) {
      pop()
    }
    insertPhrase()
  }
}
