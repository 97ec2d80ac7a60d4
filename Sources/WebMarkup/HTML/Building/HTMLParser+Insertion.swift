/// Putting nodes into the tree.
extension HTMLParser {
  /// Makes a node; -1, and the end of reading, when there are too many.
  mutating func addNode(_ node: HTMLNode) -> HTMLNodeID {
    guard tree.nodes.count < HTMLLimits.nodes else {
      note("a page has more than \(HTMLLimits.nodes) nodes", at: Int(node.place))
      isStopped = true
      return -1
    }
    tree.nodes.append(node)
    return HTMLNodeID(tree.nodes.count - 1)
  }

  /// The appropriate place for inserting a node (13.2.6.1).
  func insertionPlace(under target: HTMLOpenElement? = nil) -> (
    parent: HTMLNodeID, before: HTMLNodeID
  ) {
    guard let target = target ?? open.last else { return (0, -1) }
    if fostersParents, target.space == .html {
      switch target.tag {
      case .table, .tbody, .tfoot, .thead, .tr: return fosterPlace()
      default: break
      }
    }
    return (container(of: target.node), -1)
  }

  /// What an element's children are put in: of a template its contents.
  func container(of node: HTMLNodeID) -> HTMLNodeID { tree.contents[node] ?? node }

  private func fosterPlace() -> (parent: HTMLNodeID, before: HTMLNodeID) {
    let template = open.lastIndex { $0.is(.template) }
    guard let table = open.lastIndex(where: { $0.is(.table) }) else {
      let place = template.map { open[$0].node } ?? open.first?.node ?? 0
      return (container(of: place), -1)
    }
    if let template, template > table { return (container(of: open[template].node), -1) }
    let parent = tree[open[table].node].parent
    if parent >= 0 { return (parent, open[table].node) }
    return (container(of: open[max(0, table - 1)].node), -1)
  }

  /// Makes an element of the token and makes it the current node.
  @discardableResult mutating func insertElement(_ space: HTMLNamespace = .html) -> HTMLNodeID {
    insert(token, space)
  }

  /// Makes an element that no tag asks for.
  mutating func insertImplied(_ tag: HTMLTag) {
    insert(HTMLToken(tag: tag, mark: Self.mark(tag), isEnd: false, place: token.place), .html)
  }

  @discardableResult private mutating func insert(
    _ token: HTMLToken, _ space: HTMLNamespace
  ) -> HTMLNodeID {
    if open.count >= HTMLLimits.depth {
      note("elements are nested deeper than \(HTMLLimits.depth)", at: Int(token.place))
      pop()
    }
    let place = insertionPlace()
    let node = makeElement(token, space)
    guard node >= 0 else { return node }
    tree.insert(node, into: place.parent, before: place.before)
    push(HTMLOpenElement(node: node, tag: token.tag, space: space, mark: token.mark))
    return node
  }

  /// Makes an element outside the tree.
  mutating func makeElement(_ token: HTMLToken, _ space: HTMLNamespace) -> HTMLNodeID {
    addNode(
      HTMLNode(
        kind: .element, tag: token.tag, space: space, mark: token.mark, place: token.place,
        start: token.attributes, count: token.attributeCount, nameStart: token.nameStart,
        nameCount: token.nameCount))
  }

  /// Makes an element like another, outside the tree.
  mutating func copyElement(_ node: HTMLNodeID) -> HTMLNodeID {
    let old = tree[node]
    return addNode(
      HTMLNode(
        kind: .element, tag: old.tag, space: old.space, mark: old.mark, place: old.place,
        start: old.start, count: old.count, nameStart: old.nameStart, nameCount: old.nameCount))
  }

  /// Inserts characters at the appropriate place.
  mutating func insertText(_ characters: some Collection<UInt8>) {
    guard !characters.isEmpty else { return }
    let place = insertionPlace()
    guard place.parent > 0 else { return }
    let start = tree.bytes.count
    tree.bytes += characters
    let before = place.before < 0 ? tree[place.parent].last : tree[place.before].previous
    if before >= 0, tree[before].kind == .text,
      Int(tree[before].start) + Int(tree[before].count) == start
    {
      tree.nodes[Int(before)].count += Int32(characters.count)
      return
    }
    let node = addNode(
      HTMLNode(
        kind: .text, place: token.place, start: Int32(start), count: Int32(characters.count)))
    if node >= 0 { tree.insert(node, into: place.parent, before: place.before) }
  }

  mutating func insertComment(
    _ start: Int32, _ count: Int32, _ place: Int, into parent: HTMLNodeID? = nil
  ) {
    let node = addNode(HTMLNode(kind: .comment, place: Int32(place), start: start, count: count))
    guard node >= 0 else { return }
    let target = parent.map { (parent: $0, before: HTMLNodeID(-1)) } ?? insertionPlace()
    tree.insert(node, into: target.parent, before: target.before)
  }

  /// Adds the attributes of the token that an element does not have.
  mutating func mergeAttributes(into node: HTMLNodeID) {
    // A slice that is in use still would have all attributes of the page copied below.
    let old = Array(tree.attributeList(tree[node].start, tree[node].count))
    var hashes =
      mergedHashes.removeValue(forKey: node) ?? Set(old.map { tree.nameHash($0) })
    let new = tree.attributeList(token.attributes, token.attributeCount).filter {
      hashes.count < HTMLLimits.attributes && hashes.insert(tree.nameHash($0)).inserted
    }
    mergedHashes[node] = hashes
    guard !new.isEmpty else { return }
    tree.nodes[Int(node)].start = Int32(tree.attributes.count)
    tree.nodes[Int(node)].count = Int32(old.count + new.count)
    tree.attributes += old + new
  }
}
