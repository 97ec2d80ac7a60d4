import Cairn

extension Service {
  /// Letting a browser in with a token, and out again.
  static let loginRoutes = [
    Route("GET", "/login", nil, "Log a browser in", [Parameter("next", .text)], part: .page) {
      call in
      LoginPage.answer(next: LoginPage.path(call.parameters.text("next")))
    },
    Route.form("/login", nil, "Log a browser in") { (call) throws(Refusal) in
      let form = try FormValues(call)
      let next = LoginPage.path(form.text("next"))
      let identity = try form.text("token").map { (token) throws(Refusal) in
        try answering { () throws(CairnError) in try call.service.tokens.identity(of: token) }
      }
      guard let identity, let identity else {
        return LoginPage.answer(next: next, status: 401, wrong: true)
      }
      var answer = Answer(303)
      answer.headers = [
        Header("Location", next),
        Header("Set-Cookie", LoginPage.cookie(call.service.tokens.cookie(for: identity))),
      ]
      return answer
    },
    Route.form("/logout", .read, "Log a browser out") { call in
      var answer = Answer(303)
      answer.headers = [
        Header("Location", "/login"),
        Header(
          "Set-Cookie", "\(TokenTable.cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"),
      ]
      return answer
    },
  ]
}

/// The way in.
enum LoginPage {
  private static let cookieSeconds = 30 * 86_400

  static func cookie(_ value: String) -> String {
    "\(TokenTable.cookieName)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(cookieSeconds)"
  }

  /// A path of ours; anything else leads to the first page.
  static func path(_ text: String?) -> String {
    guard let text, text.utf8.first == UInt8(ascii: "/"), !text.hasPrefix("//"),
      !text.hasPrefix("/\\"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
      RequestTarget(text) != nil
    else { return "/" }
    return text
  }

  static func answer(next: String, status: Int = 200, wrong: Bool = false) -> Answer {
    PageFrame(title: "Log in", path: nil).bareAnswer(status: status) { html in
      html.heading("Cairn")
      html.element(
        "p", [],
        "This history is private. Show the token that stands in the file serve.token of the store:")
      html.element("pre", []) { $0.element("code", [], "cat \u{2026}/serve.token") }
      if wrong {
        html.element(
          "p", [.class("wrong"), .text("role", "alert"), .id("wrong")],
          "That is no token of this server.")
      }
      html.element("form", [.text("method", "post"), .text("action", "/login")]) { html in
        html.void(
          "input", [.text("type", "hidden"), .text("name", "next"), .text("value", next)])
        html.element("label") { html in
          html.element("span", [], "Token")
          html.void(
            "input",
            [
              .text("type", "password"), .text("name", "token"), .flag("required", true),
              .flag("autofocus", true), .text("autocomplete", "current-password"),
            ] + (wrong ? [.text("aria-describedby", "wrong"), .text("aria-invalid", "true")] : []))
        }
        html.element("button", [.text("type", "submit")], "Log in")
      }
    }
  }
}
