/// The list of active formatting elements (13.2.4.3).
extension HTMLParser {
  mutating func pushFormatting(_ node: HTMLNodeID) {
    let made = HTMLFormattingEntry(
      node: node, tag: tree[node].tag, attributes: tree.attributesHash(node))
    var equal: [Int] = []
    var count = 0
    for (index, entry) in formatting.enumerated().reversed() {
      if entry.isMarker { break }
      count += 1
      if entry.tag == made.tag, entry.attributes == made.attributes { equal.append(index) }
    }
    if equal.count >= 3 {
      formatting.remove(at: equal[equal.count - 1])
    } else if count >= HTMLLimits.formatting {
      formatting.remove(at: formatting.count - count)
    }
    formatting.append(made)
  }

  mutating func pushMarker() {
    guard formatting.count < 2 * HTMLLimits.formatting else { return }
    formatting.append(HTMLFormattingEntry(node: -1, tag: .other))
  }

  mutating func clearFormattingToMarker() {
    while let last = formatting.popLast() { if last.isMarker { return } }
  }

  /// Opens again what was open when a block ended.
  mutating func reconstructFormatting() {
    guard let last = formatting.last, !isSettled(last) else { return }
    var index = formatting.count - 1
    while index > 0, !isSettled(formatting[index - 1]) { index -= 1 }
    while index < formatting.count, !isStopped {
      let old = formatting[index].node
      if open.count >= HTMLLimits.depth { pop() }
      let place = insertionPlace()
      let copy = copyElement(old)
      guard copy >= 0 else { return }
      tree.insert(copy, into: place.parent, before: place.before)
      push(openElement(copy))
      formatting[index].node = copy
      index += 1
    }
  }

  private func isSettled(_ entry: HTMLFormattingEntry) -> Bool {
    entry.isMarker || tree[entry.node].isOpen
  }

  func openElement(_ node: HTMLNodeID) -> HTMLOpenElement {
    let found = tree[node]
    return HTMLOpenElement(node: node, tag: found.tag, space: found.space, mark: found.mark)
  }

  /// The adoption agency (13.2.6.4.7): an end tag of formatting that was closed out of order.
  mutating func adopt(_ tag: HTMLTag) {
    if let last = open.last, last.is(tag), !formatting.contains(where: { $0.node == last.node }) {
      return pop()
    }
    for _ in 0..<8 {
      guard let entry = lastFormatting(tag) else { return endOtherTag() }
      let element = formatting[entry].node
      guard let place = open.lastIndex(where: { $0.node == element }) else {
        formatting.remove(at: entry)
        return
      }
      guard isInScope(at: place) else { return }
      guard let block = (place + 1..<open.count).first(where: { open[$0].isSpecial }) else {
        while open.count > place { pop() }
        formatting.remove(at: entry)
        return
      }
      guard moveBlock(block, outOf: place, entry: entry) else { return }
    }
  }

  /// Where the last formatting element of that name is listed, if nothing marks an end behind it.
  func lastFormatting(_ tag: HTMLTag) -> Int? {
    for (index, entry) in formatting.enumerated().reversed() {
      if entry.isMarker { return nil }
      if entry.tag == tag { return index }
    }
    return nil
  }

  func isInScope(at place: Int) -> Bool {
    !open[(place + 1)...].contains { HTMLScope.plain.ends(at: $0) }
  }

  /// One round of the agency: the block leaves the formatting element, which is copied into it.
  private mutating func moveBlock(_ block: Int, outOf place: Int, entry: Int) -> Bool {
    let element = formatting[entry].node
    let blockElement = open[block]
    let ancestor = open[place - 1]
    var bookmark = entry
    var last = blockElement.node
    var index = block
    for round in 1... {
      index -= 1
      guard open[index].node != element else { break }
      let node = open[index].node
      guard let listed = formatting.firstIndex(where: { $0.node == node }), round <= 3 else {
        if let listed = formatting.firstIndex(where: { $0.node == node }) {
          formatting.remove(at: listed)
          if listed < bookmark { bookmark -= 1 }
        }
        removeOpen(at: index)
        continue
      }
      let copy = copyElement(node)
      guard copy >= 0 else { return false }
      formatting[listed].node = copy
      replaceOpen(at: index, by: copy)
      if last == blockElement.node { bookmark = listed + 1 }
      tree.detach(last)
      tree.append(last, to: copy)
      last = copy
    }
    tree.detach(last)
    let target = insertionPlace(under: ancestor)
    tree.insert(last, into: target.parent, before: target.before)
    let copy = copyElement(element)
    guard copy >= 0 else { return false }
    let container = container(of: blockElement.node)
    tree.moveChildren(of: container, to: copy)
    tree.append(copy, to: container)
    guard let listed = formatting.firstIndex(where: { $0.node == element }) else { return false }
    var kept = formatting.remove(at: listed)
    kept.node = copy
    if listed < bookmark { bookmark -= 1 }
    formatting.insert(kept, at: min(bookmark, formatting.count))
    if let old = open.lastIndex(where: { $0.node == element }) { removeOpen(at: old) }
    guard let below = open.lastIndex(where: { $0.node == blockElement.node }) else { return false }
    insertOpen(openElement(copy), at: below + 1)
    return true
  }
}
