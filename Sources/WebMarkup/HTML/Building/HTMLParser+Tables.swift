/// Tables and templates (13.2.6.4.9–18).
extension HTMLParser {
  mutating func tagInTable() {
    if token.isEnd { return endInTable() }
    switch token.tag {
    case .caption, .colgroup, .tbody, .tfoot, .thead:
      popTo(.table, .template, .html)
      if token.tag == .caption { pushMarker() }
      insertElement()
      mode =
        token.tag == .caption ? .inCaption : token.tag == .colgroup ? .inColumnGroup : .inTableBody
    case .col: insertInTable(.colgroup, .inColumnGroup)
    case .td, .th, .tr: insertInTable(.tbody, .inTableBody)
    case .table:
      guard hasInScope(.table, .table) else { return }
      popThrough(.table)
      resetMode()
      dispatch()
    case .style, .script, .template: _ = startInHead()
    case .input:
      guard isHidden else { return fosterTag() }
      insertElement()
      pop()
    case .form:
      guard form < 0, !isOpen(.template) else { return }
      form = insertElement()
      pop()
    default: fosterTag()
    }
  }

  /// Whether the token is of a field that is not shown.
  var isHidden: Bool {
    tree.value(of: .type, in: tree.attributeList(token.attributes, token.attributeCount))?
      .lowercased() == "hidden"
  }

  private mutating func insertInTable(_ tag: HTMLTag, _ mode: HTMLMode) {
    popTo(.table, .template, .html)
    insertImplied(tag)
    self.mode = mode
    dispatch()
  }

  private mutating func endInTable() {
    switch token.tag {
    case .table:
      guard hasInScope(.table, .table) else { return }
      popThrough(.table)
      resetMode()
    case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: break
    case .template: endTemplate()
    default: fosterTag()
    }
  }

  /// What does not belong in a table goes before it.
  private mutating func fosterTag() {
    fostersParents = true
    tagInBody()
    fostersParents = false
  }

  /// Whether the token begins or ends a part of the table around what is open.
  private var leavesCell: Bool {
    switch token.tag {
    case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: false
    }
  }

  mutating func tagInCaption() {
    let closes = token.isEnd ? token.tag == .caption || token.tag == .table : leavesCell
    if closes {
      guard hasInScope(.caption, .table) else { return }
      generateImpliedEnds()
      popThrough(.caption)
      clearFormattingToMarker()
      mode = .inTable
      if !(token.isEnd && token.tag == .caption) { dispatch() }
    } else if token.isEnd, leavesCell || token.tag == .body || token.tag == .html {
      return
    } else {
      tagInBody()
    }
  }

  mutating func tagInColumnGroup() {
    switch token.tag {
    case .html where !token.isEnd: return startInBody()
    case .col:
      if !token.isEnd {
        insertElement()
        pop()
      }
      return
    case .template:
      if token.isEnd { endTemplate() } else { _ = startInHead() }
      return
    default: break
    }
    guard leaveMode() else { return }
    if !(token.isEnd && token.tag == .colgroup) { dispatch() }
  }

  mutating func tagInTableBody() {
    switch token.tag {
    case .tr where !token.isEnd:
      popTo(.tbody, .tfoot, .thead, .template, .html)
      insertElement()
      mode = .inRow
    case .td where !token.isEnd, .th where !token.isEnd:
      popTo(.tbody, .tfoot, .thead, .template, .html)
      insertImplied(.tr)
      mode = .inRow
      dispatch()
    case .tbody, .tfoot, .thead:
      guard !token.isEnd || hasInScope(token.tag, .table) else { return }
      closeTableBody()
    case .caption, .col, .colgroup: if !token.isEnd { closeTableBody() }
    case .table where token.isEnd: closeTableBody()
    case .body, .html, .td, .th, .tr:
      if !token.isEnd { tagInTable() }
    default: tagInTable()
    }
  }

  private mutating func closeTableBody() {
    guard hasInScope(.tbody, .table) || hasInScope(.thead, .table) || hasInScope(.tfoot, .table)
    else { return }
    popTo(.tbody, .tfoot, .thead, .template, .html)
    pop()
    mode = .inTable
    dispatch()
  }

  mutating func tagInRow() {
    switch token.tag {
    case .td where !token.isEnd, .th where !token.isEnd:
      popTo(.tr, .template, .html)
      insertElement()
      mode = .inCell
      pushMarker()
    case .tr: closeRow()
    case .caption, .col, .colgroup: if !token.isEnd { closeRow() }
    case .tbody, .tfoot, .thead:
      guard !token.isEnd || hasInScope(token.tag, .table) else { return }
      closeRow()
    case .table where token.isEnd: closeRow()
    case .body, .html, .td, .th:
      if !token.isEnd { tagInTable() }
    default: tagInTable()
    }
  }

  private mutating func closeRow() {
    guard hasInScope(.tr, .table) else { return }
    popTo(.tr, .template, .html)
    pop()
    mode = .inTableBody
    dispatch()
  }

  mutating func tagInCell() {
    guard token.isEnd else { return leavesCell ? closeCell() : tagInBody() }
    switch token.tag {
    case .td, .th:
      guard hasInScope(token.tag, .table) else { return }
      generateImpliedEnds()
      popThrough(token.tag)
      clearFormattingToMarker()
      mode = .inRow
    case .body, .caption, .col, .colgroup, .html: break
    case .table, .tbody, .tfoot, .thead, .tr:
      if hasInScope(token.tag, .table) { closeCell() }
    default: tagInBody()
    }
  }

  private mutating func closeCell() {
    guard hasInScope(.td, .table) || hasInScope(.th, .table) else { return }
    generateImpliedEnds()
    popThrough { $0.is(.td) || $0.is(.th) }
    clearFormattingToMarker()
    mode = .inRow
    dispatch()
  }

  mutating func tagInTemplate() {
    if token.isEnd {
      if token.tag == .template { endTemplate() }
      return
    }
    switch token.tag {
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
      _ = startInHead()
    case .caption, .colgroup, .tbody, .tfoot, .thead: leaveTemplateMode(.inTable)
    case .col: leaveTemplateMode(.inColumnGroup)
    case .tr: leaveTemplateMode(.inTableBody)
    case .td, .th: leaveTemplateMode(.inRow)
    default: leaveTemplateMode(.inBody)
    }
  }

  private mutating func leaveTemplateMode(_ next: HTMLMode) {
    _ = templateModes.popLast()
    templateModes.append(next)
    mode = next
    dispatch()
  }
}
