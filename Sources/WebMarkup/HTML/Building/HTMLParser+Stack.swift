/// The stack of open elements.
extension HTMLParser {
  /// Whether the current node is that element of HTML.
  func currentIs(_ tag: HTMLTag) -> Bool { open.last?.is(tag) ?? false }

  func isOpen(_ tag: HTMLTag) -> Bool {
    openMarks[Int(Self.mark(tag))] > 0 && open.contains { $0.is(tag) }
  }

  mutating func push(_ element: HTMLOpenElement) {
    open.append(element)
    openMarks[Int(element.mark)] += 1
    tree.nodes[Int(element.node)].isOpen = true
    noteParagraphs(from: open.count - 1)
  }

  /// Takes the current node off the stack; the root stays.
  mutating func pop() {
    guard open.count > 1, let last = open.popLast() else { return }
    openMarks[Int(last.mark)] -= 1
    tree.nodes[Int(last.node)].isOpen = false
  }

  /// Takes any element off the stack.
  mutating func removeOpen(at index: Int) {
    openMarks[Int(open[index].mark)] -= 1
    tree.nodes[Int(open[index].node)].isOpen = false
    open.remove(at: index)
    noteParagraphs(from: index)
  }

  /// Puts an element into the stack below its top.
  mutating func insertOpen(_ element: HTMLOpenElement, at index: Int) {
    open.insert(element, at: index)
    openMarks[Int(element.mark)] += 1
    tree.nodes[Int(element.node)].isOpen = true
    noteParagraphs(from: index)
  }

  /// Puts another element in the place of one that is open, of the same name.
  mutating func replaceOpen(at index: Int, by node: HTMLNodeID) {
    tree.nodes[Int(open[index].node)].isOpen = false
    tree.nodes[Int(node)].isOpen = true
    open[index].node = node
  }

  private mutating func noteParagraphs(from start: Int) {
    for index in start..<open.count {
      let element = open[index]
      let isInOne = index > 0 && open[index - 1].hasParagraph
      open[index].hasParagraph = element.is(.p) || (isInOne && !HTMLScope.button.ends(at: element))
    }
  }

  /// Pops up to and with the nearest of that name; all but the root if there is none.
  mutating func popThrough(_ tag: HTMLTag) { popThrough { $0.is(tag) } }

  mutating func popThrough(where isLast: (HTMLOpenElement) -> Bool) {
    while let last = open.last, open.count > 1 {
      pop()
      if isLast(last) { return }
    }
  }

  /// Pops until the current node is one of these, or the root.
  mutating func popTo(_ tags: HTMLTag...) {
    while let last = open.last, open.count > 1,
      !(last.space == .html && tags.contains(last.tag))
    { pop() }
  }

  func hasInScope(_ tag: HTMLTag, _ scope: HTMLScope = .plain) -> Bool {
    guard openMarks[Int(Self.mark(tag))] > 0 else { return false }
    if tag == .p, scope == .button { return open.last?.hasParagraph ?? false }
    return hasInScope(scope) { $0.is(tag) }
  }

  func hasInScope(_ scope: HTMLScope, where isIt: (HTMLOpenElement) -> Bool) -> Bool {
    for element in open.reversed() {
      if isIt(element) { return true }
      if scope.ends(at: element) { return false }
    }
    return false
  }

  mutating func generateImpliedEnds(except tag: HTMLTag = .other) {
    while let last = open.last, last.space == .html, last.tag.hasImpliedEnd, last.tag != tag {
      pop()
    }
  }

  mutating func generateAllImpliedEnds() {
    while let last = open.last, last.space == .html, last.tag.hasThoroughlyImpliedEnd { pop() }
  }

  mutating func closeParagraph() {
    guard hasInScope(.p, .button) else { return }
    generateImpliedEnds(except: .p)
    popThrough(.p)
  }

  /// The mode that the open elements ask for (13.2.4.1).
  mutating func resetMode() {
    for (index, element) in open.enumerated().reversed() where element.space == .html {
      switch element.tag {
      case .td where index > 0, .th where index > 0: mode = .inCell
      case .tr: mode = .inRow
      case .tbody, .thead, .tfoot: mode = .inTableBody
      case .caption: mode = .inCaption
      case .colgroup: mode = .inColumnGroup
      case .table: mode = .inTable
      case .template: mode = templateModes.last ?? .inBody
      case .head where index > 0: mode = .inHead
      case .body: mode = .inBody
      case .frameset: mode = .inFrameset
      case .html: mode = head < 0 ? .beforeHead : .afterHead
      default: continue
      }
      return
    }
    mode = .inBody
  }
}
