/// The things that blocks of JSON-LD describe: their graph, joined by `@id`, as trees.
struct JSONLDThings {
  private enum Value {
    case literal(Thing.Value)
    case node(Int)
    /// A text that is an id only where the page describes such a thing.
    case coerced(String)
  }

  private struct Node {
    var thing: Thing
    /// What others name it by; of one that is blank, too.
    var id: String?
    var values: [(name: String, value: Value, place: Int)] = []
    /// Its types, to tell which it has.
    var types: Set<String> = []
    /// Bytes of its id and its types.
    var byteCount = 0
    var isHeld = false
    /// Whether it says more than its id.
    var isDescribed = false
  }

  private var nodes: [Node] = []
  private var ids: [String: Int] = [:]
  private let syntax: Thing.Syntax
  private let base: WebURL?
  /// Where the block that is read begins.
  private var place = 0
  private var limits: ThingLimits

  /// The things that nobody holds, in order; all of a ring of them by its first.
  static func read(
    _ blocks: [JSONLDBlock], _ syntax: Thing.Syntax, base: WebURL?, limits: inout ThingLimits
  ) -> [Thing] {
    var reader = JSONLDThings(syntax, base: base, limits: limits)
    for block in blocks {
      reader.place = block.place
      reader.readTop(block.data, JSONLDContext())
    }
    let result = reader.trees()
    limits = reader.limits
    return result
  }

  private init(_ syntax: Thing.Syntax, base: WebURL?, limits: ThingLimits) {
    self.syntax = syntax
    self.base = base
    self.limits = limits
  }

  private mutating func readTop(_ value: JSON, _ context: JSONLDContext) {
    for element in value.elements {
      switch element {
      case .object(let members): _ = readNode(members, context)
      // Lists of lists are one (JSON-LD 1.1 API, section 5.1.2).
      case .array: readTop(element, context)
      case .null, .bool, .number, .string: break
      }
    }
  }

  /// Reads an object that is no value, set or list; returns its node, or nil for a mere graph.
  private mutating func readNode(_ members: JSON.Members, _ outer: JSONLDContext) -> Int? {
    var context = outer
    if let inner = members["@context"] { context = outer.adding(inner) }
    if context.isFull { limits.isExceeded = true }
    var named: [(name: String, key: String, value: JSON)] = []
    for (key, value) in members.list {
      if let name = name(key, context) { named.append((name, key, value)) }
    }
    var id: String?
    if let text = named.last(where: { $0.name == "@id" })?.value.string { id = resolved(text) }
    let isNode =
      id != nil || named.contains { !["@graph", "@context", "@id"].contains($0.name) }
    if !isNode, let graph = named.last(where: { $0.name == "@graph" }) {
      readTop(graph.value, context)
      return nil
    }
    guard let node = makeNode(id) else { return nil }
    for (name, key, value) in named {
      switch name {
      case "@context", "@id": break
      case "@graph", "@included": readTop(value, context)
      case "@type": addTypes(value, to: node, context)
      case "@reverse": addInverse(value, to: node, context)
      case _ where name.hasPrefix("@"): break
      case _ where context.isInverse(key): addHolders(value, key, of: node, context)
      default: add(value, name, context.isReference(key), to: node, context)
      }
    }
    return node
  }

  private mutating func makeNode(_ id: String?) -> Int? {
    if let id, let known = ids[id] { return known }
    guard limits.takesThing() else { return nil }
    var node = Node(thing: Thing(syntax: syntax), id: id)
    node.thing.id = id.flatMap { $0.hasPrefix("_:") ? nil : $0 }
    node.byteCount = node.thing.id?.utf8.count ?? 0
    nodes.append(node)
    if let id { ids[id] = nodes.count - 1 }
    return nodes.count - 1
  }

  private mutating func addTypes(_ value: JSON, to node: Int, _ context: JSONLDContext) {
    nodes[node].isDescribed = true
    let types = value.elements.compactMap { $0.string?.strippedSpace.nonEmpty }
    for text in types {
      guard let type = name(text, context), !type.hasPrefix("@"),
        nodes[node].types.insert(type).inserted
      else { continue }
      nodes[node].thing.types.append(type)
      nodes[node].byteCount += type.utf8.count
    }
  }

  private mutating func add(
    _ value: JSON, _ name: String, _ isReference: Bool, to node: Int, _ context: JSONLDContext
  ) {
    nodes[node].isDescribed = true
    switch value {
    case .null: break
    case .array(let values):
      for value in values { add(value, name, isReference, to: node, context) }
    case .object(let members):
      for (key, inner) in members.list {
        switch context.keyword(key) ?? "" {
        case "@list", "@set": return add(inner, name, isReference, to: node, context)
        case "@value": return add(inner, name, false, to: node, context)
        default: break
        }
      }
      if let inner = readNode(members, context) {
        nodes[inner].isHeld = nodes[inner].isHeld || inner != node
        append(.node(inner), name, to: node)
      }
    case .string(let text) where isReference:
      if let id = resolved(text) { append(.coerced(id), name, to: node) }
    case .string(let text): append(.literal(.text(text)), name, to: node)
    case .number(let text): append(.literal(.number(text)), name, to: node)
    case .bool(let value): append(.literal(.bool(value)), name, to: node)
    }
  }

  /// Reads properties that others have with this node as their value.
  private mutating func addInverse(_ value: JSON, to node: Int, _ context: JSONLDContext) {
    guard case .object(let members) = value else { return }
    for (key, value) in members.list where context.keyword(key) == nil {
      // An inverse of an inverse is the property itself.
      if context.isInverse(key) {
        guard let name = name(key, context) else { continue }
        add(value, name, context.isReference(key), to: node, context)
      } else {
        addHolders(value, key, of: node, context)
      }
    }
  }

  /// Gives nodes a property with this node as its value; what is no node has none.
  private mutating func addHolders(
    _ value: JSON, _ key: String, of node: Int, _ context: JSONLDContext
  ) {
    let holder: Int?
    switch value {
    case .array(let values):
      for value in values { addHolders(value, key, of: node, context) }
      return
    case .object(let members):
      for (inner, value) in members.list {
        switch context.keyword(inner) ?? "" {
        case "@set": return addHolders(value, key, of: node, context)
        case "@list", "@value": return
        default: break
        }
      }
      holder = readNode(members, context)
    case .string(let text) where context.isReference(key):
      guard let id = resolved(text) else { return }
      holder = makeNode(id)
    case .null, .bool, .number, .string: return
    }
    guard let holder, let name = name(key, context) else { return }
    nodes[holder].isDescribed = true
    nodes[node].isHeld = nodes[node].isHeld || holder != node
    append(.node(node), name, to: holder)
  }

  private mutating func append(_ value: Value, _ name: String, to node: Int) {
    if limits.takesValue() { nodes[node].values.append((name, value, place)) }
  }

  /// The keyword or property that a key means, terms of schema.org by themselves; nil where names
  /// have grown by too much.
  private mutating func name(_ key: String, _ context: JSONLDContext) -> String? {
    let (head, tail) = context.parts(of: key)
    let growth = head.utf8.count + tail.utf8.count - key.utf8.count
    return limits.takesGrowth(growth) ? Thing.term(head + tail) : nil
  }

  /// An id made absolute; nil where ids have grown by too much.
  private mutating func resolved(_ id: String) -> String? {
    guard !id.hasPrefix("_:"), let url = WebURL(id, base: base)?.description else { return id }
    return limits.takesGrowth(url.utf8.count - id.utf8.count) ? url : nil
  }

  // MARK: trees

  private mutating func trees() -> [Thing] {
    for node in nodes {
      for case (_, .coerced(let id), _) in node.values {
        if let held = ids[id] { nodes[held].isHeld = true }
      }
    }
    var reached = [Bool](repeating: false, count: nodes.count)
    var result: [Thing] = []
    for pass in 0..<2 {
      for index in nodes.indices where !reached[index] && (pass == 1 || !nodes[index].isHeld) {
        guard nodes[index].isDescribed else { continue }
        if let tree = tree(of: index, [], &reached) { result.append(tree) }
      }
    }
    return result
  }

  private mutating func tree(
    of index: Int, _ around: [Int], _ reached: inout [Bool]
  ) -> Thing? {
    guard limits.takesCopy() else { return nil }
    let isRepeated = reached[index]
    if isRepeated, !limits.takesRepeated(nodes[index].byteCount) { return nil }
    reached[index] = true
    let inside = around + [index]
    var builder = ThingBuilder(nodes[index].thing)
    for (name, value, place) in nodes[index].values {
      if isRepeated {
        guard limits.takesRepeated(name.utf8.count + byteCount(value)) else { break }
      }
      guard let value = resolved(value, inside, &reached) else { continue }
      builder.append(value, to: name, at: place)
    }
    return builder.thing
  }

  /// Bytes of the texts of a value, without those inside a thing.
  private func byteCount(_ value: Value) -> Int {
    switch value {
    case .literal(.text(let text)), .literal(.number(let text)): text.utf8.count
    case .literal: 0
    case .coerced(let id): id.utf8.count
    case .node(let index): nodes[index].id?.utf8.count ?? 0
    }
  }

  private mutating func resolved(
    _ value: Value, _ around: [Int], _ reached: inout [Bool]
  ) -> Thing.Value? {
    let index: Int
    switch value {
    case .literal(let literal): return literal
    case .coerced(let id):
      guard let known = ids[id] else { return .text(id) }
      index = known
    case .node(let known): index = known
    }
    if !nodes[index].isDescribed, let id = nodes[index].thing.id { return .reference(id) }
    if around.contains(index) { return nodes[index].id.map { .reference($0) } }
    guard around.count < JSONReader.depthLimit else {
      limits.isExceeded = true
      return nil
    }
    return tree(of: index, around, &reached).map { .thing($0) }
  }
}
