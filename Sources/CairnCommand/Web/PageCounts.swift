import Rows

/// What became of the pages of an import.
struct PageCounts {
  private var actions: [PageOutcome.Action: Int] = [:]
  /// Pages whose items, or what they said of them, went.
  var deleted = 0
  /// Pages whose items a purge keeps away.
  var blocked = 0
  /// Requests for pages that were answered.
  var fetched = 0
  /// Answers that a page has not changed.
  var notModified = 0

  mutating func add(_ outcome: PageOutcome) { actions[outcome.action, default: 0] += 1 }

  /// The store makes something else of a page than was to become of it.
  mutating func replace(_ action: PageOutcome.Action, by other: PageOutcome.Action) {
    actions[action, default: 0] -= 1
    actions[other, default: 0] += 1
  }

  subscript(action: PageOutcome.Action) -> Int { actions[action] ?? 0 }

  var pageCount: Int { actions.values.reduce(0, +) }

  /// The counts as `import web` tells them.
  private var rows: [(name: StaticString, count: Int)] {
    [
      ("pages", pageCount), ("indexed", self[.index]), ("changed", self[.change]),
      ("unchanged", self[.unchanged]), ("deleted", deleted), ("noindex", self[.noindex]),
      ("gone", self[.gone]), ("older", self[.older]), ("skipped", self[.skipped]),
      ("disallowed", self[.disallowed]), ("failed", self[.failed]), ("fetched", fetched),
      ("notModified", notModified),
    ]
  }

  /// Writes what became of all, with what became of their events.
  func write(_ sink: EventSink, json: Bool) throws(Failure) {
    let counts = rows.dropFirst().filter { $0.count > 0 }.map {
      "\(Readable.number($0.count)) \($0.name)"
    }
    var text = Readable.count(pageCount, "page")
    if !counts.isEmpty { text += ": " + counts.joined(separator: ", ") }
    if sink.rejected > 0 { text += ", \(Readable.number(sink.rejected)) rejected" }
    if let first = sink.firstSequence, let last = sink.lastSequence {
      text += " (\(Readable.events(first, last)))"
    }
    if blocked > 0 {
      text += "\n\(Readable.number(blocked)) left out: a purge blocks them (cairn purge --unblock)"
    }
    try Output.answer(text, json: json) { line in
      line.field("accepted", sink.accepted)
      line.field("duplicates", self[.unchanged])
      line.field("rejected", sink.rejected)
      line.field("firstSequence", optional: sink.firstSequence)
      line.field("lastSequence", optional: sink.lastSequence)
      for row in rows { line.field(row.name, row.count) }
    }
  }
}

extension PageOutcome {
  /// One line of a plan.
  func write(json: Bool, to output: inout Output) throws(Failure) {
    if json {
      try output.object { line in
        line.field("url", url)
        line.field("action", action.rawValue)
        line.field("item", optional: item)
        line.field("domain", optional: domain)
        line.field("title", optional: title)
        line.field("reason", optional: reason)
      }
      return
    }
    let what = [title, reason].compactMap { $0 }.joined(separator: "; ")
    let name = DisplayText.pad(action.rawValue, 10)
    // The reason is worth more than the end of a long URL.
    let room = Terminal.width.map { max(20, $0 - name.count - 3) }
    let place = DisplayText.fit(url, room.map { max($0 / 2, $0 - DisplayText.width(what)) })
    let left = room.map { max(10, $0 - DisplayText.width(place)) } ?? 80
    try output.line("\(name) \(place)  \(DisplayText.fit(what, left))")
  }
}
