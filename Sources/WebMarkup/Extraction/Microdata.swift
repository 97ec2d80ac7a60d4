/// Microdata as HTML defines it (5.2–5.4 of the standard).
struct Microdata {
  private let tree: HTMLTree
  private let elements: [HTMLNodeID]
  /// The first element of each id.
  private let ids: [String: HTMLNodeID]
  private var values = 0
  private var items = 0
  private var references = 0
  /// Elements that were looked at for properties.
  private var visits = 0
  private var textLeft = PageDocument.textLimit
  /// Whether each node is a property of an item.
  private var owned: [Bool]
  /// The item that each node was last looked at for.
  private var seenFor: [HTMLNodeID]
  private var properties: [HTMLNodeID: [HTMLNodeID]] = [:]
  private var namesOf: [HTMLNodeID: [String]] = [:]

  init(_ page: PageDocument) {
    tree = page.tree
    elements = page.elements
    let count = elements.contains { page.tree.has($0, .itemscope) } ? page.tree.nodes.count : 0
    owned = [Bool](repeating: false, count: count)
    seenFor = [HTMLNodeID](repeating: -1, count: count)
    var ids: [String: HTMLNodeID] = [:]
    if elements.contains(where: { page.tree.has($0, .itemref) }) {
      for element in elements {
        if let id = page.tree.attribute(element, .id), ids[id] == nil { ids[id] = element }
      }
    }
    self.ids = ids
  }

  /// The items that are nobody's property.
  var topLevel: [HTMLNodeID] {
    elements.filter { tree.has($0, .itemscope) && !tree.has($0, .itemprop) }
  }

  /// The elements that are properties of an item, in tree order.
  mutating func properties(of item: HTMLNodeID, _ page: inout PageDocument) -> [HTMLNodeID] {
    if let known = properties[item] { return known }
    var pending = tree.childElements(of: item)
    for id in (tree.attribute(item, .itemref) ?? "").tokens {
      references += 1
      guard references <= 4096 else {
        page.fault(.limit, "more than 4096 ids in itemref", at: item)
        break
      }
      if let element = ids[id] {
        pending.append(element)
      } else {
        page.fault(.itemref, "itemref names the id \(id), which the page does not have", at: item)
      }
    }
    seenFor[Int(item)] = item
    var found: [HTMLNodeID] = []
    while let current = pending.popLast() {
      if current == item {
        page.fault(.itemref, "the item is inside what its itemref names", at: item)
      }
      guard seenFor[Int(current)] != item else { continue }
      seenFor[Int(current)] = item
      // To see whether there is a name costs the length of what may be blank.
      visits += 1 + tree.byteCount(ofAttributesOf: current) { $0 == .itemprop } / 64
      guard visits <= HTMLLimits.nodes * 2 else {
        page.fault(.limit, "itemref names the same elements too often", at: item)
        break
      }
      if !tree.has(current, .itemscope) { pending += tree.childElements(of: current) }
      if isProperty(current) { found.append(current) }
    }
    found.sort { page.order[Int($0)] < page.order[Int($1)] }
    for element in found { owned[Int(element)] = true }
    properties[item] = found
    return found
  }

  private func isProperty(_ element: HTMLNodeID) -> Bool {
    tree.attribute(element, .itemprop)?.utf8.contains { !$0.isSpace } ?? false
  }

  /// Whether an element is a property, and of no item.
  func isOrphan(_ element: HTMLNodeID) -> Bool {
    isProperty(element) && (owned.isEmpty || !owned[Int(element)])
  }

  /// The property names of an element, each once.
  mutating func names(of element: HTMLNodeID) -> [String] {
    if let known = namesOf[element] { return known }
    guard let text = tree.attribute(element, .itemprop) else { return [] }
    let names = text.tokens.distinct
    namesOf[element] = names
    return names
  }

  /// The types of an item; none where too many bytes came before.
  mutating func types(of item: HTMLNodeID, _ page: inout PageDocument) -> [String] {
    guard textLeft > 0, let types = tree.attribute(item, .itemtype),
      takes(types.utf8.count, item, &page)
    else { return [] }
    return types.tokens
  }

  /// The global identifier of an item; nil also where too many bytes came before.
  mutating func id(of item: HTMLNodeID, _ page: inout PageDocument) -> String? {
    guard textLeft > 0, let text = tree.attribute(item, .itemid) else { return nil }
    let id = page.absolute(text) ?? text
    return takes(max(id.utf8.count, text.utf8.count), item, &page) ? id : nil
  }

  /// Takes of the bytes that are left; false, from then on, where there are too few.
  ///
  /// What is inside several items, or has several names, comes as often.
  mutating func takes(
    _ byteCount: Int, _ element: HTMLNodeID, _ page: inout PageDocument
  ) -> Bool {
    if byteCount < textLeft {
      textLeft -= byteCount
      return true
    }
    if textLeft > 0 {
      page.fault(.limit, "more than \(PageDocument.textLimit) bytes of microdata", at: element)
    }
    textLeft = 0
    return false
  }

  /// Counts a value; false when there are too many.
  mutating func count(_ element: HTMLNodeID, _ page: inout PageDocument) -> Bool {
    values += 1
    if values == PageDocument.valueLimit + 1 {
      page.fault(.limit, "more than \(PageDocument.valueLimit) values of microdata", at: element)
    }
    return values <= PageDocument.valueLimit
  }

  /// The value of a property that is no item, as HTML says, or `content` of any element; nil when
  /// there is too much text.
  mutating func value(
    of element: HTMLNodeID, anyContent: Bool = false, _ page: inout PageDocument
  ) -> String? {
    guard textLeft > 0 else { return nil }
    let content = anyContent ? tree.attribute(element, .content) : nil
    let value =
      content ?? attributeValue(of: element, page) ?? page.textContent(element, limit: textLeft)
    // A URL is read whole, however little comes of it.
    let read = tree.byteCount(ofAttributesOf: element) { [.href, .src, .data].contains($0) }
    return takes(max(value?.utf8.count ?? .max, read), element, &page) ? value : nil
  }

  /// What an attribute gives; nil where the text does.
  private func attributeValue(of element: HTMLNodeID, _ page: PageDocument) -> String? {
    guard tree[element].space == .html else { return nil }
    switch tree[element].tag {
    case .meta: return tree.attribute(element, .content) ?? ""
    case .audio, .embed, .iframe, .img, .source, .track, .video:
      return url(tree.attribute(element, .src), page)
    case .a, .area, .link: return url(tree.attribute(element, .href), page)
    case .object: return url(tree.attribute(element, .data), page)
    case .data, .meter: return tree.attribute(element, .value) ?? ""
    case .time: return tree.attribute(element, .datetime)
    default: return nil
    }
  }

  private func url(_ text: String?, _ page: PageDocument) -> String {
    text.flatMap { page.absolute(attribute: $0) } ?? ""
  }

  // MARK: HTML's JSON

  /// Top-level items in the JSON form of HTML (5.4).
  mutating func json(_ page: inout PageDocument) -> JSON {
    var result: [JSON] = []
    for item in topLevel {
      guard countItem(item, &page) else { break }
      result.append(json(item, [], &page))
    }
    return .array(result)
  }

  /// Counts an item; false when there are too many.
  private mutating func countItem(_ item: HTMLNodeID, _ page: inout PageDocument) -> Bool {
    items += 1
    if items == PageDocument.thingLimit + 1 {
      page.fault(.limit, "more than \(PageDocument.thingLimit) items of microdata", at: item)
    }
    return items <= PageDocument.thingLimit
  }

  private mutating func json(
    _ item: HTMLNodeID, _ around: [HTMLNodeID], _ page: inout PageDocument
  ) -> JSON {
    var result = JSON.Members()
    let types = types(of: item, &page)
    if !types.isEmpty { result["type"] = .texts(types) }
    if let id = id(of: item, &page) { result["id"] = .string(id) }
    let inside = around + [item]
    var members = JSON.Members()
    for element in properties(of: item, &page) where values <= PageDocument.valueLimit {
      // A value comes once for each of its names, and counts as often.
      for name in names(of: element) {
        guard count(element, &page), takes(name.utf8.count, element, &page) else { break }
        if let value = json(of: element, inside: inside, &page) { members.append(value, to: name) }
      }
    }
    result["properties"] = .object(members)
    return .object(result)
  }

  /// The value of a property in the JSON form; nil for one that is left out.
  private mutating func json(
    of element: HTMLNodeID, inside items: [HTMLNodeID], _ page: inout PageDocument
  ) -> JSON? {
    guard tree.has(element, .itemscope) else { return value(of: element, &page).map(JSON.string) }
    if items.contains(element) {
      page.fault(.itemref, "the item is inside itself", at: element)
      return .string("ERROR")
    }
    guard items.count <= JSONReader.depthLimit else {
      page.fault(.limit, "items are nested deeper than \(JSONReader.depthLimit)", at: element)
      return nil
    }
    return countItem(element, &page) ? json(element, items, &page) : nil
  }
}
