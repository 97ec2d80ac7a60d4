import Cairn

extension HTML {
  /// A text from the history.
  ///
  /// It is set apart, so that controls of writing direction in it reach nothing around it.
  mutating func stored(_ text: String, _ attributes: [Attribute] = []) {
    element("bdi", attributes, text)
  }

  /// What an item is called: by its title or, where nothing of that can be seen, its identifier.
  ///
  /// A long one is cut; the whole is among what is known of the item.
  static func name(of id: String, title: String?) -> String {
    guard let title, title.unicodeScalars.contains(where: isSeen) else { return short(id) }
    let scalars = Array(title.unicodeScalars)
    return scalars.count > 140 ? string(scalars.prefix(139)) + "\u{2026}" : title
  }

  /// Whether a character leaves a mark of its own.
  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
      && properties.generalCategory != .control
  }

  /// An identifier, a long one cut in the middle.
  private static func short(_ id: String) -> String {
    let scalars = Array(id.unicodeScalars)
    guard scalars.count > 72 else { return id }
    return string(scalars.prefix(40)) + "\u{2026}" + string(scalars.suffix(24))
  }

  /// An identifier, a long one cut in the middle: a link to the page whose address it is, else the
  /// whole opens and can be selected.
  mutating func identifier(_ id: String, _ attributes: [Attribute] = []) {
    let short = Self.short(id)
    if let link = OutsideLink(id) {
      return outside(link, attributes) { $0.stored(short, [.class("id")]) }
    }
    guard short != id else { return stored(id, [.class("id")]) }
    element("details", [.class("long")]) { html in
      html.element("summary") { $0.stored(short, [.class("id")]) }
      html.stored(id, [.class("id whole")])
    }
  }

  mutating func figure(_ number: some BinaryInteger) {
    element("span", [.class("figure")], String(number))
  }

  /// How much room something takes.
  mutating func byteCount(_ count: Int) {
    let words =
      switch count {
      case ..<1_000: "\(count) bytes"
      case ..<1_000_000: "\(HitView.rounded(Double(count) / 1e3)) kB"
      default: "\(HitView.rounded(Double(count) / 1e6)) MB"
      }
    element("span", [.class("figure")], words)
  }

  /// The value of an attribute: numbers and times in figures, lists one after the other.
  mutating func value(_ value: AttributeValue) {
    switch value {
    case .string(let text): linked(text)
    case .integer(let number): figure(number)
    case .double(let number): element("span", [.class("figure")], String(number))
    case .bool(let flag): text(flag ? "yes" : "no")
    case .data(let bytes): element("span", [.class("quiet")], "\(bytes.count) bytes")
    case .null: element("span", [.class("quiet")], "none")
    case .array(let elements):
      element("ul", [.class("values")]) { html in
        for element in elements { html.element("li") { $0.value(element) } }
      }
    }
  }

  /// A text that is a link where it is the address of a page or a person.
  mutating func linked(_ text: String) {
    guard let link = OutsideLink(text) else { return stored(text) }
    outside(link, []) { $0.stored(text) }
  }

  private mutating func outside(
    _ link: OutsideLink, _ attributes: [Attribute], _ body: (inout HTML) -> Void
  ) {
    let own: [Attribute] = [
      .text("href", link.text), .text("rel", "noreferrer noopener"), .class("outside"),
    ]
    element("a", own + attributes, body)
  }

  /// A text with marks where words were found, as offsets of Unicode scalars.
  mutating func marked(_ text: String, _ ranges: [Range<Int>]) {
    let scalars = Array(text.unicodeScalars)
    element("bdi", [.class("snippet")]) { html in
      var done = 0
      for range in ranges where range.lowerBound >= done && range.upperBound <= scalars.count {
        html.text(Self.string(scalars[done..<range.lowerBound]))
        html.element("mark", [], Self.string(scalars[range]))
        done = range.upperBound
      }
      html.text(Self.string(scalars[done...]))
    }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }
}
