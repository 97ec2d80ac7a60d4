/// A parsed page with what all extraction needs: its URLs, its elements in order, its faults.
struct PageDocument {
  /// More things, values or terms of contexts than these are left out.
  static let thingLimit = 10_000
  static let valueLimit = 100_000
  static let termLimit = 1_000_000
  /// Bytes of the texts of one syntax: texts of nested properties repeat each other.
  static let textLimit = 8 << 20

  let text: DecodedText
  let tree: HTMLTree
  /// All elements in tree order.
  let elements: [HTMLNodeID]
  /// The place of each node in that order.
  let order: [Int32]
  private let texts: TextOrder
  /// Where the page is, without fragment.
  private(set) var url: WebURL?
  /// What relative URLs are relative to.
  private(set) var base: WebURL?
  /// By place in the text.
  private(set) var faults:
    [(place: Int, kind: MarkupFault.Kind, message: String, recovered: Bool)] = []

  init(_ bytes: [UInt8], contentType: String?) {
    text = DecodedText(bytes, contentType: contentType)
    tree = HTMLParser.parse(text.bytes, isXML: contentType?.essence == PageContainer.xhtmlType)
    elements = tree.elements
    var order = [Int32](repeating: -1, count: tree.nodes.count)
    for (index, element) in elements.enumerated() { order[Int(element)] = Int32(index) }
    self.order = order
    texts = TextOrder(tree)
    if let place = text.firstReplaced {
      fault(
        .encoding, "bytes that are no \(text.encoding.name) were replaced", at: place,
        recovered: true)
    }
    for limit in tree.limits { fault(.limit, limit.message, at: limit.place) }
  }

  /// The place in tree order of the first element behind all that a node holds.
  func order(behind node: HTMLNodeID) -> Int32 {
    var next = tree.skipping(node, in: 0)
    while next >= 0, tree[next].kind != .element { next = tree.following(next, in: 0) }
    return next < 0 ? .max : order[Int(next)]
  }

  /// The text of an element, as ``TextOrder`` gives it.
  func textContent(_ element: HTMLNodeID, limit: Int) -> String? {
    texts.textContent(element, in: tree, limit: limit)
  }

  /// Says where the page is, where it came from if that is another place, and what it gives for
  /// relative URLs.
  mutating func place(at url: WebURL?, from origin: WebURL?, base href: String?) {
    self.url = url
    let here = origin ?? url
    let given = href.flatMap { WebURL($0, base: here, encoding: text.encoding) }
    // HTML 4.2.3 lets nothing be relative to these.
    let isNone = given.map { ["data", "javascript"].contains($0.scheme) } ?? true
    base = isNone ? here : given
    guard let found = base, found.description.utf8.count > HTMLLimits.urlBytes else { return }
    base = here.flatMap { $0.description.utf8.count > HTMLLimits.urlBytes ? nil : $0 }
    fault(.limit, "the base of URLs is longer than \(HTMLLimits.urlBytes) bytes", at: 0)
  }

  mutating func fault(
    _ kind: MarkupFault.Kind, _ message: String, at place: Int, recovered: Bool = false
  ) {
    guard faults.count < 1000 || (kind == .limit && faults.count < 2000) else { return }
    faults.append((place, kind, message, recovered))
  }

  /// Notes what could not be read of an element.
  mutating func fault(_ kind: MarkupFault.Kind, _ message: String, at node: HTMLNodeID) {
    fault(kind, message, at: Int(tree[node].place))
  }

  /// The faults with their lines, by place.
  func malformed() -> [MarkupFault] {
    var places = TextPlaces(text.bytes)
    return faults.enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }
    .map { _, fault in
      let (line, column) = places.lineAndColumn(of: fault.place)
      return MarkupFault(
        line: line, column: column, kind: fault.kind, message: fault.message,
        recovered: fault.recovered)
    }
  }

  /// A URL of the page made absolute; as it was written where the page's own is not known.
  func absolute(_ text: String) -> String? { written(WebURL(text, base: base), text) }

  /// The same of an attribute that HTML takes for a URL.
  func absolute(attribute: String) -> String? { written(url(attribute: attribute), attribute) }

  /// The URL of an attribute that HTML takes for one.
  func url(attribute: String) -> WebURL? { WebURL(attribute, base: base, encoding: text.encoding) }

  private func written(_ url: WebURL?, _ text: String) -> String? {
    url?.description ?? (base == nil ? text.strippedSpace : nil)
  }
}

extension String {
  /// Without white space at the ends.
  var strippedSpace: String { String(decoding: utf8.strippedSpace, as: UTF8.self) }

  var nonEmpty: String? { isEmpty ? nil : self }

  /// The words between white space.
  var tokens: [String] { utf8.split { $0.isSpace }.map { String(decoding: $0, as: UTF8.self) } }

  /// A media type in lower case, without its parameters.
  var essence: String { String(prefix { $0 != ";" }).strippedSpace.loweredASCII }

  /// With the capital letters of ASCII as small ones.
  var loweredASCII: String { String(decoding: utf8.map(\.lowered), as: UTF8.self) }
}

extension BidirectionalCollection where Element == UInt8 {
  /// Without white space at the ends.
  var strippedSpace: SubSequence {
    let start = firstIndex { !$0.isSpace } ?? endIndex
    let end = lastIndex { !$0.isSpace }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}
