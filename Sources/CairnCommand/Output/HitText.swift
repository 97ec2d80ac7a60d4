import Cairn

/// A search hit for people: what it is, and under it why it was found.
enum HitText {
  static func write(_ hit: SearchHit, to output: inout Output) throws(Failure) {
    let width = Terminal.width
    let head = "\(DisplayText.padLeft(String(hit.rank), 3)). "
    let name = hit.title.map { "\($0)  (\(hit.item))" } ?? hit.item
    try output.line(head + DisplayText.fit(name, width.map { $0 - head.count }))
    if let snippet = hit.snippet, !snippet.isEmpty, snippet != hit.title {
      try output.line("     " + DisplayText.fit(snippet, width.map { $0 - 5 }))
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

extension JSONLine {
  /// The fields of a search hit.
  mutating func fields(of hit: SearchHit) {
    field("rank", hit.rank)
    field("item", hit.item)
    field("domain", optional: hit.domain)
    field("title", optional: hit.title)
    field("score", hit.score)
    field("snippet", optional: hit.snippet)
    if !hit.highlights.isEmpty {
      let ranges = hit.highlights.map { "[\($0.lowerBound),\($0.count)]" }
      field("highlights", json: Array("[\(ranges.joined(separator: ","))]".utf8))
    }
    guard let explanation = hit.explanation else { return }
    object("explanation") { terms in
      terms.field("tier", explanation.tier)
      terms.field("tierScore", explanation.tierScore)
      terms.field("text", explanation.text)
      terms.field("textScore", explanation.textScore)
      terms.field("frecency", explanation.frecency)
      terms.field("dislike", explanation.dislike)
      terms.field("useScore", explanation.useScore)
      terms.field("dislikeScore", explanation.dislikeScore)
      terms.field("choices", explanation.choices)
      terms.field("learnedScore", explanation.learnedScore)
      terms.field("latestChoiceScore", explanation.latestChoiceScore)
      terms.field("clicks", explanation.clicks)
      terms.field("impressions", explanation.impressions)
      terms.field("engagementScore", explanation.engagementScore)
      terms.field("latencyScore", explanation.latencyScore)
      terms.field("domainScore", explanation.domainScore)
      terms.field("contextScore", explanation.contextScore)
      terms.field("guardScore", explanation.guardScore)
      terms.sequences("choiceEvents", explanation.choiceEvents)
      terms.sequences("resultEvents", explanation.resultEvents)
      terms.sequences("domainEvents", explanation.domainEvents)
      terms.sequences("uses", explanation.uses)
      terms.field(
        "words",
        json: Self.array(explanation.words) { line, word in
          line.field("term", word.term)
          line.field("typo", word.isTypo)
          line.field("idf", word.inverseDocumentFrequency)
          line.field("score", word.score)
        })
    }
  }

  /// An array of sequences.
  fileprivate mutating func sequences(_ name: StaticString, _ sequences: [UInt64]) {
    field(name, json: Array("[\(sequences.map(String.init).joined(separator: ","))]".utf8))
  }

  /// An array of objects.
  static func array<Element>(_ elements: [Element], _ body: (inout JSONLine, Element) -> Void)
    -> [UInt8]
  {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      var line = JSONLine()
      body(&line, element)
      bytes.append(contentsOf: line.bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
