/// SVG and MathML (13.2.6.5).
extension HTMLParser {
  mutating func startForeign() {
    guard !breaksOut else { return leaveForeign() }
    insertElement(open.last?.space ?? .html)
    if token.isSelfClosing { pop() }
  }

  /// Whether the tag shows that the page has gone back to HTML.
  private var breaksOut: Bool {
    switch token.tag {
    case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1,
      .h2, .h3, .h4, .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p,
      .pre, .ruby, .s, .small, .span, .strong, .strike, .sub, .sup, .table, .tt, .u, .ul, .var:
      return true
    case .font:
      return tree.attributeList(token.attributes, token.attributeCount).contains { attribute in
        let name =
          attribute.name == .other
          ? tree.text(attribute.nameStart, attribute.nameCount) : attribute.name.rawValue
        return ["color", "face", "size"].contains(name)
      }
    default: return false
    }
  }

  private mutating func leaveForeign() {
    while let last = open.last, open.count > 1, last.space != .html, !last.isMathMLText,
      !isHTMLIntegrationPoint(last)
    { pop() }
    // Where HTML's rules hold now, and never these again for the same tag.
    processByMode()
  }

  mutating func endForeign() {
    if token.tag == .br || token.tag == .p { return leaveForeign() }
    for index in open.indices.reversed() {
      if index == 0 { return }
      if open[index].space == .html { return processByMode() }
      if isNamedAsToken(open[index]) {
        while open.count > index { pop() }
        return
      }
    }
  }
}
