import Cairn

extension Service {
  /// What the forms of the settings change.
  static let settingsRoutes = [
    Route.form("/settings/pause", .write, "Hear no watcher for a while, or again") {
      (call) throws(Refusal) in
      let pause = try PauseSection.pause(try FormValues(call))
      try answering(call.service.rules.set(pause))
      return .redirect(303, to: PageLink("/settings"))
    },
    Route.form("/settings/rules", .admin, "Add or remove a rule, or see what it would have taken") {
      (call) throws(Refusal) in
      let form = try FormValues(call)
      if let text = form.text("remove") { return try removeRule(text, form, call) }
      var section = RuleSection()
      for name in ["field", "match", "bucket", "action", "with"] {
        section.typed[name] = form.text(name)
      }
      do throws(Refusal) {
        let rule = try WatchRule(.object(JSONObject(section.typed)))
        guard form.text("do") == "preview" else {
          try change(call) { $0.append(rule) }
          return .redirect(303, to: PageLink("/settings"))
        }
        section.preview = try call.preview(rule)
      } catch {
        guard error.status == 400 else { throw error }
        section.wrong = error
      }
      let status = section.wrong == nil ? 200 : 400
      return try SettingsPage.answer(try PageContext.present(call), status: status, rules: section)
    },
  ]

  private static func removeRule(_ text: String, _ form: FormValues, _ call: Call) throws(Refusal)
    -> Answer
  {
    guard let index = Int(text) else { throw .parameter("remove", "takes the number of a rule") }
    try change(call) { rules in
      // Somebody else may have changed the list.
      guard rules.indices.contains(index), rules[index].match == form.text("match") ?? "" else {
        return
      }
      rules.remove(at: index)
    }
    return .redirect(303, to: PageLink("/settings"))
  }

  private static func change(_ call: Call, _ body: (inout [WatchRule]) -> Void) throws(Refusal) {
    try answering(call.service.rules.change(body))
  }
}

extension Call {
  private static let shownMax = 20

  /// What a rule would have taken, and the newest of it.
  fileprivate func preview(_ rule: WatchRule) throws(Refusal) -> ([UInt64], [RecordedEvent]) {
    let sequences = try taken(by: [rule])
    let shown = try answering { () throws(CairnError) in
      var events: [RecordedEvent] = []
      for sequence in sequences.suffix(Self.shownMax).reversed() {
        if let event = try store.event(at: sequence) { events.append(event) }
      }
      return events
    }
    return (sequences, shown)
  }
}

extension JSONObject {
  fileprivate init(_ texts: [String: String]) {
    self.init()
    for (name, text) in texts { self[name] = .string(text) }
  }
}
