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
    var reader = JSONLDThings(syntax: syntax, base: base, limits: limits)
    for block in blocks {
      reader.place = block.place
      reader.readTop(block.data, JSONLDContext(base: base))
    }
    let result = reader.trees()
    limits = reader.limits
    return result
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
    let contexts = contexts(of: members, outer)
    let context = contexts.keys
    var named: [Entry] = []
    addEntries(of: members, context, to: &named)
    var id: String?
    let text = members["@id"] ?? named.last(where: { $0.name == "@id" })?.value
    if let text = text?.string { id = resolved(text, context) }
    let isNode =
      id != nil || named.contains { !["@graph", "@context", "@id"].contains($0.name) }
    if !isNode, let graph = named.last(where: { $0.name == "@graph" }) {
      readTop(graph.value, contexts.inside)
      return nil
    }
    let node = makeNode(id)
    for (name, key, value) in named {
      switch name {
      case "@context", "@id": break
      case "@graph", "@included": readTop(value, contexts.inside)
      case "@type": addTypes(value, to: node, contexts.types)
      case "@reverse": addInverse(value, to: node, contexts)
      case _ where name.hasPrefix("@"): break
      default:
        let property = property(name, key, contexts)
        if context.term(key)?.isInverse ?? false {
          addHolders(value, property, of: node)
        } else {
          add(value, property, to: node)
        }
      }
    }
    return node
  }

  // MARK: Contexts

  /// What holds for the types of a node, for its keys, and inside it.
  private struct Contexts {
    var types: JSONLDContext
    var keys: JSONLDContext
    var inside: JSONLDContext
  }

  private mutating func contexts(
    of members: JSON.Members, _ outer: JSONLDContext
  ) -> Contexts {
    var result = Contexts(types: outer, keys: outer, inside: outer)
    if let inner = members["@context"], let context = adding(inner, to: outer) {
      result = Contexts(types: context, keys: context, inside: outer)
      if Self.propagates(inner) ?? true { result.inside = context }
    }
    guard result.types.hasInner else { return result }
    let types = members.list.filter { result.types.keyword($0.key) == "@type" }
      .flatMap { $0.value.elements.compactMap(\.string) }
    // Those of types hold for the thing itself, in the order of their names (JSON-LD 1.1 API,
    // section 5.1.2).
    for type in types.sorted() {
      guard let inner = result.types.term(type)?.context,
        let context = adding(inner, to: result.keys)
      else { continue }
      result.keys = context
      if Self.propagates(inner) ?? false {
        result.inside = adding(inner, to: result.inside) ?? result.inside
      }
    }
    return result
  }

  /// Whether a context says that it holds inside the things of its thing; nil where it is silent.
  private static func propagates(_ context: JSON) -> Bool? {
    for case .bool(let value)? in context.elements.map({ $0["@propagate"] }) { return value }
    return nil
  }

  /// A context with another inside; nil where there were too many terms.
  private mutating func adding(_ inner: JSON, to context: JSONLDContext) -> JSONLDContext? {
    // Once there were, no more are counted: that takes as long as to read them.
    guard limits.takesTerms(0), limits.takesTerms(context.count + Self.termCount(inner)) else {
      return nil
    }
    let result = context.adding(inner, base)
    if result.isFull { limits.isExceeded = true }
    return result
  }

  /// How many terms a context takes as long to read as: URLs are parsed for each thing.
  private static func termCount(_ context: JSON) -> Int {
    context.elements.reduce(0) { sum, part in
      var (count, byteCount) = (1, 0)
      switch part {
      case .string(let url): byteCount = url.utf8.count
      case .object(let members):
        count += members.list.count
        for name in ["@base", "@import", "@vocab"] {
          byteCount += members[name]?.string?.utf8.count ?? 0
        }
      default: break
      }
      return sum + count + byteCount / 16
    }
  }

  private typealias Entry = (name: String, key: String, value: JSON)

  /// Adds the keys of a node with what they mean, those of what is nested in it (JSON-LD 1.1,
  /// section 4.4) as its own.
  private mutating func addEntries(
    of members: JSON.Members, _ context: JSONLDContext, to result: inout [Entry]
  ) {
    for (key, value) in members.list {
      guard let name = name(key, context) else { continue }
      guard name == "@nest" else {
        result.append((name, key, value))
        continue
      }
      for case .object(let inner) in value.elements { addEntries(of: inner, context, to: &result) }
    }
  }

  /// A property, and how its values are read.
  private struct Property {
    var name: String
    /// What the values are, as a context says it.
    var type: String?
    /// What the values are listed by; nil for nothing.
    var key: String?
    /// The property of the values that has what they are listed by; nil for none.
    var index: String?
    var context: JSONLDContext

    /// Whether texts are ids.
    var isReference: Bool { type == "@id" || type == "@vocab" }
  }

  private mutating func property(
    _ name: String, _ key: String, _ contexts: Contexts
  ) -> Property {
    let term = contexts.keys.term(key)
    var context = contexts.inside
    if let inner = term?.context { context = adding(inner, to: context) ?? context }
    return Property(
      name: name, type: term?.type, key: term?.key, index: term?.index, context: context)
  }

  // MARK: Nodes and values

  private mutating func makeNode(_ id: String?) -> Int {
    if let id, let known = ids[id] { return known }
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

  private mutating func add(_ value: JSON, _ property: Property, to node: Int) {
    nodes[node].isDescribed = true
    var single = property
    single.key = nil
    switch value {
    case .null: break
    case .array where property.type == "@json", .object where property.type == "@json":
      let text = String(decoding: value.bytes, as: UTF8.self)
      append(.literal(.text(text)), property.name, to: node)
    case .array(let values):
      for value in values { add(value, single, to: node) }
    case .object(let members):
      for (key, inner) in members.list {
        switch property.context.keyword(key) ?? "" {
        case "@list", "@set": return add(inner, single, to: node)
        case "@value":
          let isJSON = members.list.contains { $0.value.string == "@json" }
          single.type = isJSON ? "@json" : nil
          return add(inner, single, to: node)
        default: break
        }
      }
      if let key = property.key { return addListed(members, by: key, single, to: node) }
      if let inner = readNode(members, property.context) {
        nodes[inner].isHeld = nodes[inner].isHeld || inner != node
        append(.node(inner), property.name, to: node)
      }
    case .string(let text) where property.isReference:
      if let id = resolved(text, property.context, isTerm: property.type == "@vocab") {
        append(.coerced(id), property.name, to: node)
      }
    case .string(let text):
      // White space of markup is no more than a space.
      let shown = syntax == .rdfa ? text.collapsedSpace : text
      append(.literal(.text(shown)), property.name, to: node)
    case .number(let text): append(.literal(.number(text)), property.name, to: node)
    case .bool(let value): append(.literal(.bool(value)), property.name, to: node)
    }
  }

  /// Adds values that are listed by their language, their id, their type or an index (JSON-LD 1.1,
  /// section 4.6).
  private mutating func addListed(
    _ members: JSON.Members, by name: String, _ property: Property, to node: Int
  ) {
    for (key, value) in members.list {
      let isNone = key == "@none" || property.context.keyword(key) == "@none"
      let isSaid = !isNone && (name == "@id" || name == "@type" || property.index != nil)
      for element in value.elements {
        var entry = JSON.Members()
        switch element {
        case .object(let inner) where isSaid: entry = inner
        case .string where isSaid && name != "@id" && property.isReference:
          entry["@id"] = element
        default:
          add(element, property, to: node)
          continue
        }
        // The page has the key once for all of them.
        guard limits.takesGrowth(key.utf8.count) else { return }
        if let index = property.index {
          entry[index] = .array([JSON.string(key)] + (entry[index]?.elements ?? []))
        } else if name == "@type" {
          let types = entry["@type"]?.elements ?? []
          entry["@type"] = .array([JSON.string(key)] + types)
        } else if !entry.list.contains(where: { property.context.keyword($0.key) == "@id" }) {
          entry["@id"] = .string(key)
        }
        add(.object(entry), property, to: node)
      }
    }
  }

  /// Reads properties that others have with this node as their value.
  private mutating func addInverse(_ value: JSON, to node: Int, _ contexts: Contexts) {
    guard case .object(let members) = value else { return }
    for (key, value) in members.list where contexts.keys.keyword(key) == nil {
      guard let name = name(key, contexts.keys) else { continue }
      let property = property(name, key, contexts)
      // An inverse of an inverse is the property itself.
      if contexts.keys.term(key)?.isInverse ?? false {
        add(value, property, to: node)
      } else {
        addHolders(value, property, of: node)
      }
    }
  }

  /// Gives nodes a property with this node as its value; what is no node has none.
  private mutating func addHolders(_ value: JSON, _ property: Property, of node: Int) {
    let holder: Int?
    switch value {
    case .array(let values):
      for value in values { addHolders(value, property, of: node) }
      return
    case .object(let members):
      for (inner, value) in members.list {
        switch property.context.keyword(inner) ?? "" {
        case "@set": return addHolders(value, property, of: node)
        case "@list", "@value": return
        default: break
        }
      }
      holder = readNode(members, property.context)
    case .string(let text) where property.isReference:
      let isTerm = property.type == "@vocab"
      guard let id = resolved(text, property.context, isTerm: isTerm) else { return }
      holder = makeNode(id)
    case .null, .bool, .number, .string: return
    }
    guard let holder else { return }
    nodes[holder].isDescribed = true
    nodes[node].isHeld = nodes[node].isHeld || holder != node
    append(.node(node), property.name, to: holder)
  }

  private mutating func append(_ value: Value, _ name: String, to node: Int) {
    if limits.takesValue() { nodes[node].values.append((name, value, place)) }
  }

  /// The keyword or property that a key means, terms of schema.org by themselves; nil where it is
  /// too long, or names have grown by too much.
  private mutating func name(_ key: String, _ context: JSONLDContext) -> String? {
    let (head, tail) = context.parts(of: key)
    let byteCount = head.utf8.count + tail.utf8.count
    guard limits.takesName(byteCount), limits.takesGrowth(byteCount - key.utf8.count) else {
      return nil
    }
    return Thing.term(head + tail)
  }

  /// An id, or a term that stands for one, made absolute; nil where ids have grown by too much.
  private mutating func resolved(
    _ id: String, _ context: JSONLDContext, isTerm: Bool = false
  ) -> String? {
    guard !id.hasPrefix("_:") else { return id }
    let (head, tail) = isTerm ? context.parts(of: id) : context.prefixed(id)
    let name: String = head + tail
    guard limits.takesGrowth(name.utf8.count - id.utf8.count) else { return nil }
    guard let url = WebURL(name, base: context.base)?.description else { return name }
    return limits.takesGrowth(url.utf8.count - name.utf8.count) ? url : nil
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
    guard limits.takesThing() else { return nil }
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
