import Cairn
import Rows

/// How the history and the server are doing, and who may do what.
enum SettingsPage {
  static func answer(_ context: PageContext, status: Int, rules section: RuleSection)
    throws(Refusal) -> Answer
  {
    let statistics = try answering(context.moment.statistics())
    let rules = try answering(context.store.retentionRules())
    // Where they cannot be read, the state of health says so.
    let tokens = (try? context.call.service.tokens.tokens()) ?? []
    var frame = PageFrame(title: "Settings", path: "/settings", json: context.link("/api/v1/stats"))
    frame.scripts = ["settings"]
    return try frame.answer(context, status: status) { html in
      html.heading("Settings")
      looks(&html)
      PauseSection.write(&html, context)
      section.write(&html, context)
      health(statistics, &html, context)
      retention(rules, &html)
      access(tokens, &html, context)
    }
  }

  /// What each browser keeps for itself; needs scripts.
  private static func looks(_ html: inout HTML) {
    html.element("section", [.id("looks"), .flag("hidden", true)]) { html in
      html.element("h2", [], "In this browser")
      html.element("label") { html in
        html.text("Colours ")
        html.select(
          [.id("theme")],
          [("", "as the system has them"), ("light", "light"), ("dark", "dark")])
      }
      for (id, words) in [
        ("keys", "Single keys lead to pages"),
        ("choices", "Choosing a result teaches the search"),
      ] {
        html.element("label") { html in
          html.void("input", [.text("type", "checkbox"), .id(id), .flag("checked", true)])
          html.text(" " + words)
        }
      }
    }
  }

  private static func health(_ statistics: Statistics, _ html: inout HTML, _ context: PageContext) {
    html.element("h2", [], "Health")
    let service = context.call.service
    html.element("dl", [.class("facts")]) { html in
      html.fact("State") { $0.text(service.problem?.message ?? "all is well") }
      html.fact("Last verified") { html in
        if let verified = service.metrics.verified {
          html.time(verified, context.words)
        } else {
          html.text("not since the server started; see: cairn verify")
        }
      }
      html.fact("Items") { $0.figure(statistics.itemCount) }
      html.fact("Events") { $0.figure(statistics.eventCount) }
      html.fact("On disk") { $0.byteCount(statistics.byteCount) }
      if let recorded = statistics.recorded {
        html.fact("Last event") { $0.time(recorded, context.words) }
      }
      for projection in statistics.projections {
        html.fact(projection.name) {
          switch projection.lag {
          case 0: $0.text("up to date")
          case 1: $0.text("1 event behind")
          default: $0.text("\(projection.lag) events behind")
          }
        }
      }
    }
  }

  private static func retention(_ rules: [(number: Int, rule: RetentionRule)], _ html: inout HTML) {
    html.element("h2", [], "What is kept")
    if rules.isEmpty {
      html.element("p", [], "Everything is kept for ever. A rule is added with:")
      html.element("pre", []) {
        $0.element("code", [], "cairn retention add --days 365 --kind view")
      }
      return
    }
    html.element("ul") { html in
      for (number, rule) in rules {
        html.element("li") { html in
          let (unit, count) = rule.limit.named
          let what = rule.versionDays == nil ? "" : "old versions of "
          html.text("Rule \(number): \(what)the last \(count) \(unit)")
          if let kind = rule.kind { html.text(" of kind \(kind.name.description)") }
          if let domain = rule.domain {
            html.text(" in ")
            html.stored(domain)
          }
          if let source = rule.source {
            html.text(" from ")
            html.stored(source)
          }
        }
      }
    }
  }

  private static func access(_ tokens: [AccessToken], _ html: inout HTML, _ context: PageContext) {
    html.element("h2", [], "Who may ask")
    html.table([.class("events")], [.text("Token"), .text("May"), .text("Made")]) { html in
      for token in tokens {
        html.element("tr") { html in
          html.element("td") { $0.stored(token.name) }
          html.element("td", [], token.scope.rawValue)
          html.element("td") { $0.time(token.created, context.words) }
        }
      }
    }
    html.element("p", [.class("quiet")], "Tokens are added and taken back with: cairn serve token")
    html.form("/logout") { html in
      html.element("button", [.class("plain"), .text("type", "submit")], "Log out")
    }
  }
}
