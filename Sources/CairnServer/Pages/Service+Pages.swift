extension Service {
  /// Every page, its forms and the files that pages need.
  static let pageRoutes =
    assetRoutes + [
      page("/", "Search the history", SearchPage.parameters, SearchPage.answer),
      page("/item", "The whole life of an item", ItemPage.parameters, ItemPage.answer),
      page("/timeline", "Years to minutes", TimelinePage.parameters, TimelinePage.answer),
      page("/domains", "Domains, and what they hold", DomainsPage.parameters, DomainsPage.answer),
      page("/diff", "What changed between two points", DiffPage.parameters, DiffPage.answer),
      page("/live", "Events as they come", LivePage.parameters, LivePage.answer),
      page("/settings", "Pause, rules, tokens, retention, health", []) {
        (context) throws(Refusal) in
        try SettingsPage.answer(context, status: 200, rules: RuleSection())
      },
      page("/help", "Keys and pages", [], HelpPage.answer),
    ] + loginRoutes + forgetRoutes + settingsRoutes

  /// A page at the point that its address names.
  private static func page(
    _ path: StaticString, _ summary: String, _ parameters: [Parameter],
    _ answer: @escaping @Sendable (PageContext) throws(Refusal) -> Answer
  ) -> Route {
    Route(
      "GET", path.description, .read, summary,
      parameters + [Parameter("asOf", .text), Parameter("day", .text)], part: .page
    ) { (call) throws(Refusal) in
      switch try PageContext.point(call) {
      case .shown(let context): return try answer(context)
      case .redirect(let link): return .redirect(302, to: link)
      }
    }
  }
}

extension Answer {
  static func redirect(_ status: Int, to link: PageLink) -> Answer {
    Answer(status, headers: [Header("Location", link.text)])
  }
}
