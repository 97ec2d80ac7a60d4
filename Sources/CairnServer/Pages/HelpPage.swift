/// Keys, pages and what the words mean.
enum HelpPage {
  private static let keys = [
    ("/ or Ctrl-K", "go to the search field"),
    ("\u{2191} \u{2193}", "move through results or suggestions"),
    ("Enter", "open what is chosen"), ("[ and ]", "one event back, or forth, in time"),
    (
      "g then s t d c l e h",
      "go to a page: Search, Timeline, Domains, Changes, Live, Settings, Help"
    ),
    ("+ \u{2212} 0", "on the timeline: into it, out of it, all of it"), ("?", "this page"),
    ("Esc", "close suggestions"),
  ]

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    let frame = PageFrame(title: "Help", path: "/help")
    return try frame.answer(context) { html in
      html.heading("Help")
      html.element("h2", [], "Keys")
      html.element("dl", [.class("facts keys")]) { html in
        for (key, words) in keys { html.fact(key) { $0.text(words) } }
      }
      html.element("p", [.class("quiet")], "Single keys can be turned off in Settings.")
      html.element("h2", [], "The past")
      html.element(
        "p", [],
        "The slider at the top goes through every event of the history. What a page shows is "
          + "exactly what was known then, and its address keeps the point, so that a copied link "
          + "always leads to the same.")
      html.element("h2", [], "Proofs")
      html.element(
        "p", [],
        "Beside each event of an item stands \u{201C}verify\u{201D}. Your browser itself then "
          + "hashes the event, walks the proof up to the log's signed checkpoint and checks the "
          + "signature. One changed bit shows in red.")
      html.element("h2", [], "Forgetting")
      html.element(
        "p", [],
        "Beside each domain, on an item's page and below a span of the timeline stands "
          + "\u{201C}Forget\u{201D}; below the domains also for the last minutes, and for a text, "
          + "such as somebody's name. You first see what would go. What was forgotten is overwritten "
          + "in every file; the receipt says how many events went, and the log still proves that "
          + "nothing else was touched.")
    }
  }
}
