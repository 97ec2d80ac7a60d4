import Cairn

/// Whether watchers are heard, and for how long not.
enum PauseSection {
  private static let lengths = [
    ("15", "for 15 minutes"), ("60", "for an hour"), ("1440", "for a day"), ("", "until I go on"),
  ]

  /// What every page says while nothing is recorded.
  static func notice(_ html: inout HTML, _ context: PageContext) {
    let pause = context.call.service.rules.pause
    guard pause != .none else { return }
    html.element("p", [.class("notice")]) { html in
      html.element("strong", [], "Recording is paused")
      state(pause, &html, context)
      html.text(". ")
      html.link("Go on in Settings", to: context.link("/settings"))
    }
  }

  private static func state(_ pause: WatchRules.Pause, _ html: inout HTML, _ context: PageContext) {
    guard case .until(let end) = pause else { return }
    html.text("; it goes on ")
    html.time(end, context.words)
  }

  static func write(_ html: inout HTML, _ context: PageContext) {
    html.element("h2", [], "Pause")
    let pause = context.call.service.rules.pause
    html.element("p") { html in
      guard pause != .none else { return html.text("What watchers send is recorded.") }
      html.text("Recording is paused")
      state(pause, &html, context)
      html.text(".")
    }
    guard context.allows(.write) else { return }
    html.form("/settings/pause", class: "inline") { html in
      if pause != .none {
        html.element(
          "button", [.text("type", "submit"), .text("name", "end"), .text("value", "1")], "Go on")
        return
      }
      html.element("label") { html in
        html.text("Pause ")
        html.select([.text("name", "minutes")], lengths)
      }
      html.element("button", [.text("type", "submit")], "Pause")
    }
  }

  static func pause(_ form: FormValues) throws(Refusal) -> WatchRules.Pause {
    if form.text("end") != nil { return .none }
    guard let text = form.text("minutes") else { return .forever }
    guard let minutes = Int64(text), (1...525_600).contains(minutes) else {
      throw .parameter("minutes", "takes a number of minutes up to a year")
    }
    return .until(Timestamp(seconds: Timestamp.now().seconds + minutes * 60))
  }
}
