extension HTML {
  /// What a page says where it has nothing to show, and what to do about it.
  mutating func emptyState(_ title: String, _ advice: String, command: String? = nil) {
    element("section", [.class("empty")]) { html in
      html.element("h2", [], title)
      html.element("p", [], advice)
      if let command { html.element("pre", []) { $0.element("code", [], command) } }
    }
  }

  /// What a page says where there is no event at all.
  mutating func emptyHistory() {
    emptyState(
      "The history is empty",
      "Bring in what you have: browsers, shells, bookmarks and 50 others are found by themselves.",
      command: "cairn import auto")
  }

  /// A heading with what belongs to it at its side.
  mutating func heading(_ title: String, _ aside: String? = nil) {
    element("h1") { html in
      html.text(title)
      if let aside { html.element("small", [], aside) }
    }
  }
}
