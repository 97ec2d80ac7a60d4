import Values

extension HTML {
  mutating func form(
    _ action: StaticString, _ method: StaticString = "post", class name: String? = nil,
    _ body: (inout HTML) -> Void
  ) {
    var attributes: [Attribute] = []
    if let name { attributes.append(.class(name)) }
    attributes += [.text("method", method.description), .text("action", action.description)]
    element("form", attributes, body)
  }

  /// A value that a form sends along.
  ///
  /// A browser changes line breaks, and a page has no other control characters: a value with some
  /// goes encoded, as the mark behind its name says.
  mutating func hidden(_ name: String, _ value: String) {
    let isPlain = value.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" }
    void(
      "input",
      [
        .text("type", "hidden"),
        .text("name", isPlain ? name : name + RequestTarget.encodedMark),
        .text("value", isPlain ? value : PercentEncoding.encode(value)),
      ])
  }

  mutating func field(_ title: String, _ attributes: [Attribute]) {
    element("label") { html in
      html.element("span", [], title)
      html.void("input", attributes)
    }
  }

  /// A choice of values, each with its words.
  mutating func select(
    _ attributes: [Attribute], _ options: [(String, String)], selected: String? = nil
  ) {
    element("select", attributes) { html in
      for (value, words) in options {
        html.element(
          "option", [.text("value", value), .flag("selected", value == selected)], words)
      }
    }
  }
}
