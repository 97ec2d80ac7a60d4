import Cairn

/// A search hit for people: what it is, and under it why it was found.
enum HitText {
  static func write(
    _ hit: SearchHit, names: Set<String>?, sources: [ItemSource], to output: inout Output
  ) throws(Failure) {
    let width = Terminal.width
    let head = "\(DisplayText.padLeft(String(hit.rank), 3)). "
    let columns = width.map { $0 - head.count }
    let name = hit.title.map { DisplayText.named($0, hit.item, columns) }
    try output.line(head + (name ?? DisplayText.fit(hit.item, columns)))
    if names?.contains("snippet") ?? true, let snippet = hit.snippet, !snippet.isEmpty,
      snippet != hit.title
    {
      try output.line("     " + DisplayText.fit(snippet, width.map { $0 - 5 }))
    }
    if let names {
      for member in hit.attributes where names.contains(member.key) {
        try output.line(
          "     "
            + DisplayText.fit("\(member.key): \(Show.text(member.value))", width.map { $0 - 5 }))
      }
    }
    guard let explanation = hit.explanation else { return }
    let score = Readable.decimal(hit.score, 3)
    var sum = "     \(score)"
    for (name, value) in explanation.terms {
      let sign = sum.hasSuffix(score) ? " =" : value < 0 ? " −" : " +"
      let shown = sum.hasSuffix(score) ? value : abs(value)
      sum += "\(sign) \(name) \(Readable.decimal(shown, 3))"
    }
    try output.line(sum)
    for (name, events) in explanation.events where !events.isEmpty {
      let list = events.map(String.init).joined(separator: ", ")
      try output.line("       \(name): events \(list)")
    }
    for word in explanation.words {
      let share = Readable.decimal(word.score, 3)
      let note = word.isTypo ? ", misspelt" : ""
      let term = DisplayText.fit(word.term, 40)
      let rarity = Readable.decimal(word.inverseDocumentFrequency, 3)
      try output.line("       \(term): \(share) of the text (rarity \(rarity)\(note))")
    }
    for source in sources { try output.line("       from \(source.text)") }
  }

  /// What is said of a likelier spelling.
  static func offer(_ correction: String) -> String {
    "Did you mean: \(DisplayText.fit(correction, Terminal.width))"
  }
}

extension ScoreExplanation {
  /// The latest events behind the terms, newest first.
  fileprivate var events: [(name: String, events: [UInt64])] {
    [
      ("chosen for this query", choiceEvents), ("fared in results", resultEvents),
      ("its domain", domainEvents), ("latest uses", uses),
    ]
  }

  /// The terms that make the score, without those that are nothing; match, text and use always.
  fileprivate var terms: [(name: String, value: Double)] {
    [("match", tierScore), ("text", textScore), ("use", useScore)]
      + [
        ("chosen for this query", learnedScore), ("chosen last for it", latestChoiceScore),
        ("fared in results", engagementScore), ("disliked", dislikeScore),
        ("slow to open", latencyScore), ("its domain fills results", domainScore),
        ("circumstances", contextScore), ("guard", guardScore),
      ].filter { $0.1 != 0 }
  }
}
