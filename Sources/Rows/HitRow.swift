package import Cairn

extension JSONLine {
  /// The fields of a search hit.
  ///
  /// With `names` its snippet comes only if it is among them, and so do its attributes.
  package mutating func fields(of hit: SearchHit, names: Set<String>? = nil) {
    field("rank", hit.rank)
    field("item", hit.item)
    field("domain", optional: hit.domain)
    field("title", optional: hit.title)
    field("score", hit.score)
    if names?.contains("snippet") ?? true {
      field("snippet", optional: hit.snippet)
      let highlights = hit.highlights
      if !highlights.isEmpty { field("highlights", json: Self.places(highlights)) }
    }
    if let names {
      var attributes: [UInt8] = []
      // What is not UTF-8 cannot have been appended.
      if (try? hit.appendAttributes(names, to: &attributes)) != nil {
        field("attributes", json: attributes)
      }
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
      terms.field("choiceEvents", sequences: explanation.choiceEvents)
      terms.field("resultEvents", sequences: explanation.resultEvents)
      terms.field("domainEvents", sequences: explanation.domainEvents)
      terms.field("uses", sequences: explanation.uses)
      terms.field("words", objects: explanation.words) { line, word in
        line.field("term", word.term)
        line.field("typo", word.isTypo)
        line.field("idf", word.inverseDocumentFrequency)
        line.field("score", word.score)
      }
    }
  }

  /// An array of pairs: where each begins, and how long it is.
  private static func places(_ ranges: [Range<Int>]) -> [UInt8] {
    var json: [UInt8] = []
    JSONText.appendArray(ranges, to: &json) { (range, json) in
      json.append(UInt8(ascii: "["))
      json.append(contentsOf: String(range.lowerBound).utf8)
      json.append(UInt8(ascii: ","))
      json.append(contentsOf: String(range.count).utf8)
      json.append(UInt8(ascii: "]"))
    }
    return json
  }
}
