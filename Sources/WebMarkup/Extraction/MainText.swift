/// The text that a page is about, without what stands around it.
enum MainText {
  /// Bytes of it and of the item's other texts together; a longer one ends before the word that
  /// goes beyond.
  ///
  /// A text index of random words takes some 60 times their bytes of memory for a while.
  static let byteCountMax = 3_000_000

  static func read(_ page: inout PageDocument) -> String? {
    guard let root = main(page) ?? page.elements.first(where: { page.tree.is($0, .body) }) else {
      return nil
    }
    var text = CollapsedText(limit: byteCountMax)
    collect(root, page.tree, into: &text)
    guard text.isCut else { return text.bytes.isEmpty ? nil : text.string }
    page.fault(.limit, "the main text is longer than \(byteCountMax) bytes", at: 0)
    return cut(text.bytes[...])
  }

  /// The beginning of a text that goes on, up to the last space.
  static func cut(_ text: some BidirectionalCollection<UInt8>) -> String? {
    text.lastIndex(of: 0x20).map { String(decoding: text[..<$0], as: UTF8.self) }
  }

  private static func collect(
    _ root: HTMLNodeID, from start: HTMLNodeID? = nil, _ tree: HTMLTree,
    into text: inout CollapsedText
  ) {
    var current = start ?? tree.following(root, in: root)
    while current >= 0, !text.isCut {
      let node = tree[current]
      if node.kind == .text {
        text.append(tree.bytes[Int(node.start)..<Int(node.start) + Int(node.count)])
      }
      let isSkipped = node.kind == .element && isLeftOut(current, tree)
      // What is left out for its role is seen, whatever element it is.
      if node.kind == .element, !isInline(node) || (isSkipped && tree.has(current, .role)) {
        text.appendSpace()
      }
      let next =
        isSkipped ? tree.skipping(current, in: root) : tree.following(current, in: root)
      if endsBlock(current, next, tree) { text.appendSpace() }
      current = next
    }
  }

  private static func endsBlock(_ node: HTMLNodeID, _ next: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    guard next >= 0, tree[next].parent != node else { return false }
    var parent = tree[node].kind == .element ? node : tree[node].parent
    let end = tree[next].parent
    while parent >= 0, parent != end {
      if !isInline(tree[parent]) { return true }
      parent = tree[parent].parent
    }
    return false
  }

  private static func main(_ page: PageDocument) -> HTMLNodeID? {
    let tree = page.tree
    var articles: [HTMLNodeID] = []
    var inside: (main: HTMLNodeID, header: HTMLNodeID)?
    var current = tree.following(0, in: 0)
    while current >= 0 {
      let isElement = tree[current].kind == .element
      if isElement, isAround(current, tree) {
        if inside == nil, let found = mainInside(current, tree) { inside = (found, current) }
        current = tree.skipping(current, in: 0)
        continue
      }
      // What is in something hidden may be what scripts show.
      if isElement, !isHidden(current, tree) {
        if isMain(current, tree) { return current }
        if tree.is(current, .article) { articles.append(current) }
      }
      current = tree.following(current, in: 0)
    }
    if articles.count == 1 { return articles.first }
    // An article outside or text behind it says that the header was closed.
    guard articles.isEmpty, let inside else { return nil }
    var behind = CollapsedText(limit: 1)
    collect(0, from: tree.skipping(inside.header, in: 0), tree, into: &behind)
    return behind.bytes.isEmpty ? inside.main : nil
  }

  private static func isMain(_ node: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    tree.is(node, .main) || tree.attribute(node, .role) == "main"
  }

  /// The main element in a header or the like, which may have none (HTML 4.4.14): it was left open.
  private static func mainInside(_ root: HTMLNodeID, _ tree: HTMLTree) -> HTMLNodeID? {
    var current = root
    while current >= 0 {
      if tree[current].kind == .element {
        if isMain(current, tree), !isHidden(current, tree) { return current }
        if isLeftOut(current, tree), !isLandmark(current, tree) {
          current = tree.skipping(current, in: root)
          continue
        }
      }
      current = tree.following(current, in: root)
    }
    return nil
  }

  private static func isLandmark(_ node: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    switch tree[node].tag {
    case .nav, .header, .footer, .aside: !isHidden(node, tree)
    default: false
    }
  }

  private static func isLeftOut(_ node: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    isAround(node, tree) || isHidden(node, tree)
  }

  /// Whether an element stands around the main text, and is none.
  private static func isAround(_ node: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    guard tree[node].space == .html else { return true }
    switch tree[node].tag {
    case .nav, .header, .footer, .aside, .script, .style, .noscript, .template, .iframe, .object,
      .embed, .svg, .math, .button, .select, .textarea, .input, .dialog, .menu, .audio, .video,
      .head, .noframes:
      return true
    default: break
    }
    switch tree.attribute(node, .role) {
    case "navigation", "banner", "contentinfo", "complementary", "search", "menu", "dialog":
      return true
    default: return false
    }
  }

  private static func isHidden(_ node: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    tree.has(node, .hidden) || tree.attribute(node, .ariaHidden) == "true"
  }

  private static func isInline(_ node: HTMLNode) -> Bool {
    switch node.tag {
    case .a, .b, .big, .code, .data, .em, .font, .i, .meter, .nobr, .s, .small, .span, .strike,
      .strong, .sub, .sup, .time, .tt, .u, .var, .wbr, .ruby, .rb, .other,
      // Nobody sees that these are there.
      .link, .meta, .script, .style, .template:
      true
    default: false
    }
  }
}
