import Cairn

enum ForgetPage {
  static func plan(
    _ call: Call, _ target: ForgetTarget, wrongName: Bool = false, isStale: Bool = false
  ) throws(Refusal) -> Answer {
    let context = try PageContext.present(call)
    let plan = try answering(call.store.planPurge(target.scope))
    var runCount = 0
    if let since = target.scope.spanStart, let watches = call.service.watches {
      runCount = try answering(watches.lengths(at: since).count)
    }
    return try PageFrame(title: "Forget", path: nil).answer(context) { html in
      html.heading("Forget")
      html.element("p") { html in
        html.text("For good, from every file of this store: ")
        describe(target, &html, context)
      }
      if isStale {
        html.element(
          "p", [.class("wrong"), .text("role", "alert")],
          "Something came in meanwhile. Look at what would go now.")
      }
      guard plan.eventCount + runCount > 0 else {
        html.emptyState("There is nothing to forget", "No event of the history belongs to it.")
        return
      }
      table(plan, runCount, &html)
      guard context.allows(.admin) else {
        html.element("p", [.class("quiet")], "This server only reads: it forgets nothing.")
        return
      }
      form(target, plan, wrongName: wrongName, &html)
    }
  }

  private static func describe(
    _ target: ForgetTarget, _ html: inout HTML, _ context: PageContext
  ) {
    guard case .matching(let criteria) = target.scope else {
      return html.stored(target.fields[0].1, [.class("id")])
    }
    if criteria.sequences != nil {
      return html.text("the events that the rule would have kept out")
    }
    html.text("everything")
    for (word, time) in [("since", criteria.since), ("until", criteria.until)] {
      guard let time else { continue }
      html.text(" \(word) ")
      html.time(time, context.words)
    }
    let names = [
      ("in", criteria.domain), ("about", criteria.item), ("that mentions", criteria.mention),
    ]
    for (words, text) in names {
      guard let text else { continue }
      html.text(" \(words) ")
      html.stored(text, [.class("id")])
    }
  }

  private static func table(_ plan: PurgePlan, _ runCount: Int, _ html: inout HTML) {
    html.element("dl", [.class("facts")]) { html in
      html.fact("Events") { $0.figure(plan.eventCount) }
      html.fact("Items") { $0.figure(plan.itemCount) }
      html.fact("Domains") { $0.figure(plan.domainCount) }
      html.fact("In the log") { $0.byteCount(plan.byteCount) }
      if runCount > 0 { html.fact("Cut short, since they went on") { $0.figure(runCount) } }
      let copies = plan.copies.count + plan.lostCopies.count
      if copies > 0 { html.fact("Backups and copies that still hold some") { $0.figure(copies) } }
      let names =
        plan.ruleNumbers.count + plan.schemaVersions.count + plan.consumerNames.count
        + plan.serverFileNames.count
      if names > 0 {
        html.fact("Files of the server, rules, schemas and consumers that name it") {
          $0.figure(names)
        }
      }
    }
    if plan.domains.count < 2 { return }
    html.element("ul", [.class("plan")]) { html in
      let most = plan.domains.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for domain in most.prefix(20) {
        html.element("li") { html in
          html.stored(domain.key.isEmpty ? "without a domain" : domain.key)
          html.text(": \(domain.value)")
        }
      }
    }
  }

  private static func form(
    _ target: ForgetTarget, _ plan: PurgePlan, wrongName: Bool, _ html: inout HTML
  ) {
    html.form("/forget", class: "forget") { html in
      for (name, value) in target.fields + [("digest", AccessToken.base64URL(plan.digest.bytes))] {
        html.hidden(name, value)
      }
      html.element("label") { html in
        html.element("span") { html in
          html.text("To confirm, type ")
          html.stored(target.name, [.class("id")])
        }
        html.void(
          "input",
          [
            .text("name", "name"), .flag("required", true), .text("autocomplete", "off"),
            .text("spellcheck", "false"),
          ]
            + (wrongName
              ? [.text("aria-invalid", "true"), .text("aria-describedby", "wrong")] : []))
      }
      if wrongName {
        html.element(
          "p", [.id("wrong"), .class("wrong"), .text("role", "alert")],
          "That is another name. Nothing was forgotten.")
      }
      if target.canBeBlocked {
        html.element("label") { html in
          html.void(
            "input", [.text("type", "checkbox"), .text("name", "block"), .text("value", "1")])
          html.text(" and never take it in again")
        }
      }
      let count =
        switch plan.eventCount {
        case 0: ""
        case 1: " 1 event"
        default: " \(plan.eventCount) events"
        }
      html.element("button", [.class("danger"), .text("type", "submit")], "Forget\(count)")
    }
  }

  static func receipt(_ call: Call) throws(Refusal) -> Answer {
    let context = try PageContext.present(call)
    guard let id = call.parameters.text("job"), let job = call.service.jobs.job(id) else {
      throw .notFound("There is no such job any more; receipts stand in the log as purge events.")
    }
    var frame = PageFrame(
      title: "Forgotten", path: nil, json: PageLink(checked: "/api/v1/jobs/\(id)", []))
    frame.scripts = job.state == .running ? ["job"] : []
    return try frame.answer(context) { html in
      switch job.state {
      case .running:
        html.heading("Forgetting")
        html.element(
          "p", [.id("job"), .text("data-job", id), .text("role", "status")],
          "Event \(job.done)" + (job.total.map { " of \($0)" } ?? "")
            + ". Reload to see how far it is.")
      case .done:
        html.heading("Forgotten")
        html.element("p", [], "This is the receipt. The log keeps it as an event of kind purge.")
        html.element("pre", [.class("receipt")]) { html in
          html.element("code", [], String(decoding: job.result ?? [], as: UTF8.self))
        }
      case .failed, .cancelled:
        html.heading("Not forgotten")
        html.element(
          "p", [.class("wrong")], job.error?.message ?? "It was stopped before it began.")
      }
    }
  }
}
