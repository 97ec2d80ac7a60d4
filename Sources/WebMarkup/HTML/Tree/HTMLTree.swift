/// A place of a node in its tree; the document is 0.
typealias HTMLNodeID = Int32

/// One node: what it is, and its neighbours.
struct HTMLNode {
  enum Kind: UInt8 { case document, doctype, element, text, comment, fragment }
  var kind: Kind
  var tag: HTMLTag = .other
  var space: HTMLNamespace = .html
  var isOpen = false
  /// Tells names apart quickly: equal names have equal marks.
  var mark: UInt16 = 0
  var parent: HTMLNodeID = -1
  var first: HTMLNodeID = -1
  var last: HTMLNodeID = -1
  var previous: HTMLNodeID = -1
  var next: HTMLNodeID = -1
  /// Byte of the text where its tag begins.
  var place: Int32 = 0
  /// Of a text its bytes, of an element its attributes.
  var start: Int32 = 0
  var count: Int32 = 0
  /// The name of an element that ``HTMLTag`` does not know.
  var nameStart: Int32 = 0
  var nameCount: Int32 = 0
}

/// What a browser would make of a page's source, scripting off (HTML 13.2).
struct HTMLTree {
  /// The document first.
  var nodes: [HTMLNode] = [HTMLNode(kind: .document)]
  var attributes: [HTMLAttribute] = []
  /// Texts, attribute values, unknown names.
  var bytes: [UInt8] = []
  /// Where the contents of `template` elements are: outside the document.
  var contents: [HTMLNodeID: HTMLNodeID] = [:]
  /// Where in the source the text of each HTML `script` stands.
  var scripts: [HTMLNodeID: Range<Int>] = [:]
  var isQuirky = false
  /// What was left out for its size: the limit and the byte of the text.
  var limits: [(message: String, place: Int)] = []
}

extension HTMLTree {
  mutating func append(_ child: HTMLNodeID, to parent: HTMLNodeID) {
    insert(child, into: parent, before: -1)
  }

  /// Puts a node before a child of another; before nothing means last.
  mutating func insert(_ child: HTMLNodeID, into parent: HTMLNodeID, before next: HTMLNodeID) {
    let previous = next < 0 ? nodes[Int(parent)].last : nodes[Int(next)].previous
    nodes[Int(child)].parent = parent
    nodes[Int(child)].previous = previous
    nodes[Int(child)].next = next
    if previous < 0 {
      nodes[Int(parent)].first = child
    } else {
      nodes[Int(previous)].next = child
    }
    if next < 0 { nodes[Int(parent)].last = child } else { nodes[Int(next)].previous = child }
  }

  /// Takes a node out of its parent, with all it holds.
  mutating func detach(_ node: HTMLNodeID) {
    let (parent, previous, next) = (
      nodes[Int(node)].parent, nodes[Int(node)].previous, nodes[Int(node)].next
    )
    guard parent >= 0 else { return }
    if previous < 0 { nodes[Int(parent)].first = next } else { nodes[Int(previous)].next = next }
    if next < 0 { nodes[Int(parent)].last = previous } else { nodes[Int(next)].previous = previous }
    nodes[Int(node)].parent = -1
    nodes[Int(node)].previous = -1
    nodes[Int(node)].next = -1
  }

  /// Moves all children of a node behind those of another.
  mutating func moveChildren(of node: HTMLNodeID, to target: HTMLNodeID) {
    while nodes[Int(node)].first >= 0 {
      let child = nodes[Int(node)].first
      detach(child)
      append(child, to: target)
    }
  }

  /// The next node in tree order that is in a root, or -1 behind the last.
  func following(_ node: HTMLNodeID, in root: HTMLNodeID) -> HTMLNodeID {
    if nodes[Int(node)].first >= 0 { return nodes[Int(node)].first }
    return skipping(node, in: root)
  }

  /// The next node in tree order behind all that a node holds, or -1.
  func skipping(_ node: HTMLNodeID, in root: HTMLNodeID) -> HTMLNodeID {
    var current = node
    while current >= 0, current != root {
      if nodes[Int(current)].next >= 0 { return nodes[Int(current)].next }
      current = nodes[Int(current)].parent
    }
    return -1
  }

  subscript(node: HTMLNodeID) -> HTMLNode { nodes[Int(node)] }

  /// Whether a node is that element of HTML.
  func `is`(_ node: HTMLNodeID, _ tag: HTMLTag) -> Bool {
    let node = nodes[Int(node)]
    return node.kind == .element && node.tag == tag && node.space == .html
  }

  func text(_ start: Int32, _ count: Int32) -> String {
    String(decoding: bytes[Int(start)..<Int(start) + Int(count)], as: UTF8.self)
  }

  func attributeList(_ start: Int32, _ count: Int32) -> ArraySlice<HTMLAttribute> {
    attributes[Int(start)..<Int(start) + Int(count)]
  }

  private func attributeList(of node: HTMLNodeID) -> ArraySlice<HTMLAttribute> {
    let node = nodes[Int(node)]
    return node.kind == .element ? attributeList(node.start, node.count) : []
  }

  func value(of name: HTMLAttributeName, in attributes: ArraySlice<HTMLAttribute>) -> String? {
    attributes.first { $0.name == name }.map { text($0.start, $0.count) }
  }

  func has(_ node: HTMLNodeID, _ name: HTMLAttributeName) -> Bool {
    hasAttribute(node) { $0 == name }
  }

  func hasAttribute(_ node: HTMLNodeID, where isMeant: (HTMLAttributeName) -> Bool) -> Bool {
    attributeList(of: node).contains { isMeant($0.name) }
  }

  func byteCount(
    ofAttributesOf node: HTMLNodeID, where isMeant: (HTMLAttributeName) -> Bool
  ) -> Int {
    attributeList(of: node).reduce(0) { isMeant($1.name) ? $0 + Int($1.count) : $0 }
  }

  /// The value of an attribute, or nil where the element does not have it.
  func attribute(_ node: HTMLNodeID, _ name: HTMLAttributeName) -> String? {
    value(of: name, in: attributeList(of: node))
  }

  /// An element's name in lower case.
  func name(_ node: HTMLNodeID) -> String {
    let node = nodes[Int(node)]
    return node.tag == .other ? text(node.nameStart, node.nameCount) : node.tag.rawValue
  }

  func childElements(of node: HTMLNodeID) -> [HTMLNodeID] {
    var result: [HTMLNodeID] = []
    var child = self[node].first
    while child >= 0 {
      if self[child].kind == .element { result.append(child) }
      child = self[child].next
    }
    return result
  }

  /// All elements of the document in tree order, without the contents of templates.
  var elements: [HTMLNodeID] {
    var result: [HTMLNodeID] = []
    var current = following(0, in: 0)
    while current >= 0 {
      if nodes[Int(current)].kind == .element { result.append(current) }
      current = following(current, in: 0)
    }
    return result
  }
}
