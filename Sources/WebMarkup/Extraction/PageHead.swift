/// What `meta`, `link`, `title` and `html` say, before anything is made of it.
struct PageHead {
  struct Meta {
    var node: HTMLNodeID
    var name: String
    var property: String
    var content: String
  }

  private(set) var metas: [Meta] = []
  /// By each token of their properties, and by their names in lower case.
  private var byProperty: [String: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  /// Links by their rel tokens, in order.
  private(set) var links: [(node: HTMLNodeID, rel: [String], href: String)] = []
  private(set) var documentTitle = ""
  private(set) var heading: String?
  private(set) var language: String?
  private(set) var pragmaLanguage: String?
  private(set) var baseHref: String?

  init(_ page: inout PageDocument) {
    let tree = page.tree
    var hasTitle = false
    var searched: Int32 = 0
    for node in page.elements where tree[node].space == .html {
      switch tree[node].tag {
      case .html:
        if language == nil { language = tree.attribute(node, .lang)?.strippedSpace.nonEmpty }
      case .title:
        if !hasTitle { documentTitle = Self.text(node, &page) ?? "" }
        hasTitle = true
      case .h1 where heading == nil && page.order[Int(node)] >= searched:
        // One inside of one that is too long may be short, and of an empty one has no more.
        if let text = Self.text(node, &page) {
          heading = text.nonEmpty
          searched = page.order(behind: node)
        }
      case .base: if baseHref == nil { baseHref = tree.attribute(node, .href) }
      case .link:
        if let href = tree.attribute(node, .href) {
          links.append((node, (tree.attribute(node, .rel) ?? "").loweredASCII.tokens, href))
        }
      case .meta: addMeta(node, tree)
      default: break
      }
    }
  }

  /// The text of an element that names the page; nil for one that is too long.
  private static func text(_ node: HTMLNodeID, _ page: inout PageDocument) -> String? {
    if let text = page.textContent(node, limit: HTMLLimits.attributeBytes) {
      return text.collapsedSpace
    }
    page.fault(
      .limit, "\(page.tree.name(node)) is longer than \(HTMLLimits.attributeBytes) bytes", at: node)
    return nil
  }

  private mutating func addMeta(_ node: HTMLNodeID, _ tree: HTMLTree) {
    guard let content = tree.attribute(node, .content) else { return }
    if tree.attribute(node, .httpEquiv)?.strippedSpace.loweredASCII == "content-language",
      pragmaLanguage == nil
    {
      pragmaLanguage = content.tokens.first?.split(separator: ",").first.map(String.init)
    }
    let meta = Meta(
      node: node, name: (tree.attribute(node, .name) ?? "").strippedSpace,
      property: (tree.attribute(node, .property) ?? "").strippedSpace, content: content)
    for token in Set(meta.property.tokens) { byProperty[token, default: []].append(metas.count) }
    if !meta.name.isEmpty { byName[meta.name.loweredASCII, default: []].append(metas.count) }
    metas.append(meta)
  }

  /// Every Open Graph property, in document order, content as written.
  var openGraph: [(property: String, content: String)] {
    metas.compactMap { $0.property.contains(":") ? ($0.property, $0.content) : nil }
  }

  /// The contents of an Open Graph property; those of `name` only where no `property` has it.
  func openGraph(_ properties: String...) -> [String] {
    openGraphMetas(properties).compactMap { $0.content.strippedSpace.nonEmpty }
  }

  /// The same with their places.
  func openGraphMetas(_ properties: [String]) -> [Meta] {
    let given = properties.flatMap { byProperty[$0] ?? [] }
    let found = given.isEmpty ? properties.flatMap { byName[$0] ?? [] } : given
    return found.sorted().map { metas[$0] }
  }

  /// The contents of `meta name=…`, whatever the case of the name, none of them empty.
  func named(_ name: String) -> [String] {
    (byName[name] ?? []).compactMap { metas[$0].content.collapsedSpace.nonEmpty }
  }

  func link(_ relation: String) -> String? {
    links.first { $0.rel.contains(relation) && !$0.href.strippedSpace.isEmpty }?.href
  }
}
