import Cairn

/// What is never written: the rules, a form for another one, and what that would have taken.
struct RuleSection {
  /// What was typed and cannot be used, and why.
  var wrong: Refusal?
  var typed: [String: String] = [:]
  /// What a rule would have taken from the past.
  var preview: (sequences: [UInt64], events: [RecordedEvent])?

  private static let fields = [
    ("field", "Field", "title"), ("match", "Regular expression", "bank|clinic"),
    ("bucket", "Bucket begins with", "all"),
  ]

  func write(_ html: inout HTML, _ context: PageContext) {
    html.element("h2", [.id("rules")], "What is never written")
    let rules = context.call.service.rules.rules
    if rules.isEmpty {
      html.element("p", [], "Everything is written. A rule keeps things out before they are.")
    } else {
      table(rules, &html, context)
    }
    guard context.allows(.admin) else { return }
    form(&html)
    if let preview { show(preview.sequences, preview.events, &html, context) }
  }

  private func table(_ rules: [WatchRule], _ html: inout HTML, _ context: PageContext) {
    let columns = ["Field", "Matches", "In buckets", "Then"].map { HTML.Column.text($0) }
    html.table([.class("events")], columns + [.hidden("Remove")]) { html in
      for (index, rule) in rules.enumerated() { row(rule, index, &html, context) }
    }
  }

  private func row(_ rule: WatchRule, _ index: Int, _ html: inout HTML, _ context: PageContext) {
    html.element("tr") { html in
      html.element("td") { $0.stored(rule.field) }
      html.element("td") { $0.stored(rule.match, [.class("id")]) }
      html.element("td") { html in
        if let bucket = rule.bucket { html.stored(bucket + "\u{2026}") } else { html.text("all") }
      }
      html.element("td") { html in
        html.text(rule.action == .drop ? "drop it" : "write instead: ")
        if rule.action == .redact { html.stored(rule.replacement) }
      }
      html.element("td") { html in
        guard context.allows(.admin) else { return }
        html.form("/settings/rules") { html in
          // The match says that it is still the rule that was shown.
          html.hidden("remove", String(index))
          html.hidden("match", rule.match)
          html.element("button", [.class("plain"), .text("type", "submit")]) { html in
            html.text("Remove")
            html.element("span", [.class("hidden")], " rule \(index + 1)")
          }
        }
      }
    }
  }

  private func form(_ html: inout HTML) {
    html.form("/settings/rules", class: "rule") { html in
      for (name, title, example) in Self.fields {
        var attributes: [HTML.Attribute] = [
          .text("name", name), .text("value", typed[name] ?? ""), .text("placeholder", example),
          .flag("required", name != "bucket"), .text("autocomplete", "off"),
        ]
        if wrong?.place == name {
          attributes += [.text("aria-invalid", "true"), .text("aria-describedby", "wrong-rule")]
        }
        html.field(title, attributes)
      }
      html.element("label") { html in
        html.element("span", [], "Then")
        html.select(
          [.text("name", "action")], [("drop", "drop it"), ("redact", "write something else")],
          selected: typed["action"])
      }
      html.field(
        "What to write instead", [.text("name", "with"), .text("value", typed["with"] ?? "")])
      html.element("p", [.class("actions")]) { html in
        for (value, words) in [
          ("preview", "See what it would have taken"), ("add", "Add the rule"),
        ] {
          html.element(
            "button",
            (value == "preview" ? [.class("plain")] : []) + [
              .text("type", "submit"), .text("name", "do"), .text("value", value),
            ], words)
        }
      }
    }
    if let wrong {
      html.element(
        "p", [.id("wrong-rule"), .class("wrong"), .text("role", "alert")],
        "\(wrong.place.map { "\($0): " } ?? "")\(wrong.message)")
    }
  }

  private func show(
    _ sequences: [UInt64], _ events: [RecordedEvent], _ html: inout HTML, _ context: PageContext
  ) {
    html.element("h3", [.text("role", "status")], "It would have taken \(sequences.count) events")
    if sequences.isEmpty { return }
    EventTable(events: events).write(&html, context)
    html.form("/forget", class: "inline") { html in
      html.hidden("events", SequenceRanges.text(SequenceRanges.of(sequences)))
      html.element(
        "button", [.class("danger"), .text("type", "submit")],
        "Forget \(sequences.count == 1 ? "it" : "them")\u{2026}")
    }
  }
}
