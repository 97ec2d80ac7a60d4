/// RDFa Lite 1.1 by the rules of RDFa Core 1.1 (section 7.5) and HTML+RDFa 1.1.
struct RDFa {
  /// Subjects in order, with the byte of the tag that first tells of each.
  private var subjects: [(id: String, place: Int)] = []
  /// The byte of the tag that is read.
  private var place = 0
  private var nodes: [String: JSON.Members] = [:]
  /// Subjects with a property and a value, as one text each.
  private var seen: Set<String> = []
  private var blankCount = 0
  /// Our names of the blank nodes that the page names: theirs may be those of others of ours.
  private var blanks: [String: String] = [:]
  private var valueCount = 0
  private var subjectCount = 0
  /// Elements that declare prefixes or a vocabulary: what each inherits is copied for it.
  private var declarationCount = 0
  private var isFull = false
  private var textLeft = PageDocument.textLimit
  /// Bytes that are left for subjects, properties and values, as often as they come.
  private var bytesLeft = 2 * PageDocument.textLimit

  /// Expanded, flattened JSON-LD: a node for each subject.
  static func read(_ page: inout PageDocument) -> [JSONLDBlock] {
    guard
      page.elements.contains(where: {
        page.tree.has($0, .property) || page.tree.has($0, .typeof)
      }), let root = page.elements.first
    else { return [] }
    var reader = RDFa()
    let context = RDFaContext(subject: page.url?.description ?? "")
    reader.walk(root, context, isRoot: true, &page)
    if !reader.hasRoom || reader.textLeft <= 0 || reader.isFull {
      page.fault(.limit, "more things, values, text or prefixes of RDFa than are read", at: 0)
    }
    return reader.subjects.compactMap { subject in
      reader.nodes[subject.id].map {
        JSONLDBlock(line: 1, column: 1, id: nil, place: subject.place, data: .object($0))
      }
    }
  }

  private var hasRoom: Bool {
    valueCount <= PageDocument.valueLimit && subjectCount <= PageDocument.thingLimit
      && bytesLeft > 0
  }

  private mutating func walk(
    _ node: HTMLNodeID, _ outer: RDFaContext, isRoot: Bool = false, _ page: inout PageDocument
  ) {
    guard hasRoom else { return }
    let tree = page.tree
    var context = outer
    let isSaying = tree.has(node, .property) || tree.has(node, .typeof)
    let isDeclaring = tree.has(node, .prefix) || tree.has(node, .vocab)
    if isDeclaring { declarationCount += 1 }
    let takesNames = declarationCount <= PageDocument.thingLimit
    // A link is read with the prefixes that hold where it stands.
    if isSaying || (isDeclaring && takesNames) {
      context.subject = subject(of: outer, page)
      context.links = nil
    }
    context.enter(node, page, takesNames: takesNames)
    isFull = isFull || context.isFull || !takesNames
    if isSaying {
      place = Int(tree[node].place)
      context.subject = read(node, &context, context.subject, isRoot: isRoot, page)
    } else if tree.hasAttribute(node, where: Self.leads) {
      context.links = (outer: context.links?.outer ?? node, inner: node)
    }
    for child in tree.childElements(of: node) where hasRoom { walk(child, context, &page) }
  }

  /// Whether an element with an attribute has its properties inside be about something.
  private static func leads(_ name: HTMLAttributeName) -> Bool {
    switch name {
    case .about, .href, .resource, .src: true
    default: false
    }
  }

  /// What properties without a subject of their own are about, by the nearest link that names it.
  ///
  /// Each look costs bytes, since every property takes one more.
  private mutating func subject(of context: RDFaContext, _ page: PageDocument) -> String {
    guard let links = context.links else { return context.subject }
    var node = links.inner
    while hasRoom {
      bytesLeft -= 16 + page.tree.byteCount(ofAttributesOf: node, where: Self.leads)
      if let found = named(about(node, context, page)) ?? named(resource(node, context, page)) {
        bytesLeft -= found.utf8.count
        return found
      }
      if node == links.outer { break }
      node = page.tree[node].parent
    }
    return context.subject
  }

  /// Reads one element; returns what its children's properties are about.
  private mutating func read(
    _ node: HTMLNodeID, _ context: inout RDFaContext, _ parent: String, isRoot: Bool,
    _ page: PageDocument
  ) -> String {
    let tree = page.tree
    let properties = (tree.attribute(node, .property) ?? "").tokens
    let typeof = tree.attribute(node, .typeof)
    let hasProperty = tree.has(node, .property)
    let about = named(about(node, context, page))
    let link = named(resource(node, context, page))
    // The page's base is in each.
    bytesLeft -= (about?.utf8.count ?? 0) + (link?.utf8.count ?? 0)
    let subject: String
    var typed: String?
    let hasContent = tree.has(node, .content) || tree.has(node, .datatype)
    if hasProperty, !hasContent {
      subject = about ?? parent
      if typeof != nil { typed = about ?? (isRoot ? parent : nil) ?? link ?? newBlank() }
    } else {
      // What type head and body have is the page's own (HTML+RDFa 1.1, section 3.1).
      let isWhole = isRoot || tree.is(node, .head) || tree.is(node, .body)
      subject = about ?? link ?? (typeof != nil && !isWhole ? newBlank() : parent)
      if typeof != nil { typed = subject }
    }
    if let typed, let typeof {
      for name in typeof.tokens where hasRoom {
        if let type = named(context.property(name)) { add(typed, "@type", .string(type)) }
      }
    }
    if hasProperty, !isOpenGraph(node, tree),
      let value = value(node, context, link: link, typed: about == nil ? typed : nil, page)
    {
      // A blank node is no property (RDFa Core 1.1, section 7.5).
      for name in properties where hasRoom {
        guard let property = context.property(name), !property.hasPrefix("_:"),
          property != "http://www.w3.org/ns/rdfa#usesVocabulary"
        else { continue }
        add(subject, property, value)
      }
    }
    return typed ?? subject
  }

  private func isOpenGraph(_ node: HTMLNodeID, _ tree: HTMLTree) -> Bool {
    tree.is(node, .meta) && tree.has(node, .content)
      && (tree.attribute(node, .property) ?? "").contains(":")
  }

  private func about(
    _ node: HTMLNodeID, _ context: RDFaContext, _ page: PageDocument
  ) -> String? {
    page.tree.attribute(node, .about).flatMap { context.resource($0, page) }
  }

  private func resource(
    _ node: HTMLNodeID, _ context: RDFaContext, _ page: PageDocument
  ) -> String? {
    // `resource="[]"` says nothing (RDFa Core 1.1, section 7.4.3).
    if let text = page.tree.attribute(node, .resource),
      let found = context.resource(text, page)
    {
      return found
    }
    if let text = page.tree.attribute(node, .href) { return page.absolute(text) }
    return page.tree.attribute(node, .src).flatMap { page.absolute($0) }
  }

  private mutating func value(
    _ node: HTMLNodeID, _ context: RDFaContext, link: String?, typed: String?, _ page: PageDocument
  ) -> JSON? {
    let tree = page.tree
    if let content = tree.attribute(node, .content) { return literal(content, context) }
    if tree.is(node, .time), let time = tree.attribute(node, .datetime) {
      return .members(["@value": .string(time)])
    }
    if tree.is(node, .data) || tree.is(node, .meter), let value = tree.attribute(node, .value) {
      return literal(value, context)
    }
    if !tree.has(node, .datatype) {
      if let typed { return .members(["@id": .string(typed)]) }
      if let link { return .members(["@id": .string(link)]) }
    }
    guard let text = page.textContent(node, limit: textLeft) else {
      textLeft = 0
      return nil
    }
    textLeft -= text.utf8.count
    return literal(text, context)
  }

  private func literal(_ text: String, _ context: RDFaContext) -> JSON {
    guard let language = context.language else { return .members(["@value": .string(text)]) }
    return .members(["@value": .string(text), "@language": .string(language)])
  }

  /// A subject by the name that it has here.
  private mutating func named(_ id: String?) -> String? {
    guard let id, id.hasPrefix("_:") else { return id }
    if let known = blanks[id] { return known }
    let made = newBlank()
    blanks[id] = made
    return made
  }

  private mutating func newBlank() -> String {
    defer { blankCount += 1 }
    return "_:b\(blankCount)"
  }

  private mutating func add(_ subject: String, _ property: String, _ value: JSON) {
    let key = "\(subject)\0\(property)\0\(String(decoding: value.bytes, as: UTF8.self))"
    valueCount += 1
    bytesLeft -= key.utf8.count
    guard hasRoom, seen.insert(key).inserted else { return }
    if nodes[subject] == nil {
      subjectCount += 1
      guard hasRoom else { return }
      subjects.append((subject, place))
      nodes[subject] = JSON.Members()
      nodes[subject]?["@id"] = .string(subject)
    }
    nodes[subject]?.append(value, to: property)
  }
}
