extension Service {
  /// Letting a browser in with a token, and out again.
  static let loginRoutes = [
    Route(
      "GET", "/login", nil, "Log a browser in",
      [Parameter("next", .text), Parameter("key", .text)],
      part: .page
    ) { (call) throws(Refusal) in
      let next = LoginPage.path(call.parameters.text("next"))
      guard let key = call.parameters.text("key") else { return LoginPage.answer(next: next) }
      // Who only looks at the head of the answer does not use the link up.
      guard call.request.method == "GET", call.service.loginLinks.use(key) else {
        return LoginPage.answer(next: next, status: 401, wrong: LoginPage.usedLink)
      }
      return LoginPage.letIn(call.service.tokens.owner, by: call.service.tokens, next: next)
    },
    Route.form("/login", nil, "Log a browser in") { (call) throws(Refusal) in
      let form = try FormValues(call)
      let next = LoginPage.path(form.text("next"))
      let identity = try form.text("token").map { (token) throws(Refusal) in
        // None holds a blank, and what is pasted may.
        try answering(call.service.tokens.identity(of: token.filter { !$0.isWhitespace }))
      }
      guard let identity, let identity else {
        return LoginPage.answer(next: next, status: 401, wrong: "That is no token of this server.")
      }
      return LoginPage.letIn(identity, by: call.service.tokens, next: next)
    },
    Route.form("/logout", .read, "Log a browser out") { (call) throws(Refusal) in
      for cookie in call.request.cookies(TokenTable.cookieName) {
        try answering(call.service.tokens.logOut(cookie: cookie))
      }
      return LoginPage.answer(cookie: "", seconds: 0, next: "/login")
    },
  ]
}

enum LoginPage {
  private static let cookieSeconds = 30 * 86_400

  static let usedLink =
    "That link was used already, or is older than two minutes. Show the token instead."

  /// Gives a browser its cookie and leads on.
  static func letIn(_ identity: Identity, by tokens: TokenTable, next: String) -> Answer {
    answer(cookie: tokens.cookie(for: identity), seconds: cookieSeconds, next: next)
  }

  /// Sets the cookie for so long, or takes it away at once, and leads on.
  static func answer(cookie: String, seconds: Int, next: String) -> Answer {
    let rules = "HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
    return Answer(
      303,
      headers: [
        Header("Location", next),
        Header("Set-Cookie", "\(TokenTable.cookieName)=\(cookie); \(rules)"),
      ])
  }

  /// A path of ours; anything else leads to the first page.
  static func path(_ text: String?) -> String {
    guard let text, text.utf8.first == UInt8(ascii: "/"), !text.hasPrefix("//"),
      !text.hasPrefix("/\\"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
      RequestTarget(text) != nil
    else { return "/" }
    return text
  }

  static func answer(next: String, status: Int = 200, wrong: String? = nil) -> Answer {
    PageFrame(title: "Log in", path: nil).bareAnswer(status: status) { html in
      html.heading("Cairn")
      html.element(
        "p", [],
        "This history is private. Show the token in the file serve.token of the store, usually:")
      html.element("pre", []) { $0.element("code", [], "cat ~/.local/share/cairn/serve.token") }
      if let wrong {
        html.element("p", [.class("wrong"), .text("role", "alert"), .id("wrong")], wrong)
      }
      html.form("/login") { html in
        html.hidden("next", next)
        html.field(
          "Token",
          [
            .text("type", "password"), .text("name", "token"), .flag("required", true),
            .flag("autofocus", true), .text("autocomplete", "current-password"),
          ]
            + (wrong != nil
              ? [.text("aria-describedby", "wrong"), .text("aria-invalid", "true")] : []))
        html.element("button", [.text("type", "submit")], "Log in")
      }
    }
  }
}
