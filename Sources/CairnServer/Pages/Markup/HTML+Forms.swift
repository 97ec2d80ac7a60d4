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
  mutating func hidden(_ name: String, _ value: String) {
    void("input", [.text("type", "hidden"), .text("name", name), .text("value", value)])
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
