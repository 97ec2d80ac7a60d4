import Cairn

/// The slider over the whole history: by event, or by day, with the snapshots on it.
struct TimeBar {
  let snapshots: [NamedSnapshot]

  func write(_ html: inout HTML, _ context: PageContext) {
    guard context.head > 0, context.travels else { return }
    html.element(
      "form",
      [
        .id("time"), .class("time"), .text("method", "get"),
        .text("action", context.call.target.encodedPath), .text("aria-label", "Travel in time"),
      ]
    ) { html in
      for (name, value) in context.otherValues { html.hidden(name, value) }
      slider(&html, context)
      day(&html, context)
      html.element("button", [.class("plain"), .text("type", "submit")], "Go")
    }
    marks(&html, context)
  }

  private func slider(_ html: inout HTML, _ context: PageContext) {
    html.element("label", [.text("for", "asof")], "Event")
    html.void(
      "input",
      [
        .id("asof"), .text("type", "range"), .text("name", "asOf"), .text("min", "0"),
        .text("max", String(context.head)), .text("step", "1"),
        .text("value", String(context.moment.sequence)), .text("list", "marks"),
        .text(
          "aria-valuetext",
          context.isPast
            ? "after event \(context.moment.sequence) of \(context.head)" : "the present"),
      ])
    html.element(
      "output", [.text("for", "asof"), .class("figure")],
      context.isPast ? "\(context.moment.sequence) of \(context.head)" : "now")
  }

  private func day(_ html: inout HTML, _ context: PageContext) {
    html.element("label", [.text("for", "day")], "Day")
    html.void(
      "input",
      [
        .id("day"), .text("type", "date"), .text("name", "day"),
        .text("max", context.words.day(.now())),
      ])
  }

  private func marks(_ html: inout HTML, _ context: PageContext) {
    html.element("datalist", [.id("marks")]) { html in
      for snapshot in snapshots.suffix(100) {
        html.element(
          "option",
          [.text("value", String(snapshot.sequence)), .text("label", snapshot.name)], "")
      }
    }
    if snapshots.isEmpty { return }
    html.element("nav", [.class("snapshots"), .text("aria-label", "Snapshots")]) { html in
      html.element("span", [], "Snapshots:")
      for snapshot in snapshots.suffix(8).reversed() {
        let isShown = context.asOf == snapshot.sequence
        html.element(
          "a",
          [.href(context.here([("asOf", String(snapshot.sequence)), ("day", nil)]))]
            + (isShown ? [.text("aria-current", "true")] : [])
        ) { $0.stored(snapshot.name) }
      }
    }
  }
}
