import Cairn
import Rows

/// The answer to one search: its hits, or what people are told where there are none.
struct SearchAnswer {
  let request: SearchRequest
  let moment: Moment
  let json: Bool
  /// Which attributes come with a hit; nil for the usual ones.
  var names: Set<String>?

  /// Words of a query that are counted one by one.
  private static let countedWordCount = 6
  private static let countMax = 1_000

  func write() throws(Failure) {
    let results = try answering(moment.results(of: request))
    var output = Output()
    try ResultsText(json: json).write(results, to: &output) { (line, hit) throws(Failure) in
      line.fields(of: hit, names: names)
      if request.explains { line.field("sources", try sources(of: hit)) }
    } text: { (hit, output) throws(Failure) in
      try HitText.write(hit, names: names, sources: sources(of: hit), to: &output)
    }
    try output.flush()
    if results.isEmpty { try tellOfWords() }
    let correction = try answering(moment.correction(of: request, afterFinding: results))
    if let correction { Diagnostics.line(HitText.offer(correction)) }
  }

  private func sources(of hit: SearchHit) throws(Failure) -> [ItemSource] {
    guard request.explains else { return [] }
    return try answering(moment.sources(of: hit.item))
  }

  /// Says what there is of each word where nothing has them all, to people only.
  private func tellOfWords() throws(Failure) {
    try Listing.tellOfUnusedNames(request.filter, moment)
    try Listing.tellOfDomain(request.domain, moment)
    guard Terminal.errorsAreTerminal, !json else { return }
    guard request.offset == 0 else {
      return Diagnostics.line("no items after the first \(Readable.number(request.offset))")
    }
    let words = request.text.split(separator: " ").map(String.init)
    let hasPhrase = request.text.contains("\"")
    var counts: [String] = []
    if words.count > 1, words.count <= Self.countedWordCount, request.mode != .any, !hasPhrase {
      for word in words {
        var one = SearchRequest(word)
        (one.domain, one.filter, one.isExact) = (request.domain, request.filter, request.isExact)
        one.within = request.within
        one.limit = Self.countMax
        let found = try answering(moment.search(one).count)
        let count = found == Self.countMax ? "many" : "\(found)"
        counts.append("\(count) \(found == 1 ? "has" : "have") “\(DisplayText.fit(word, 40))”")
      }
    }
    let what =
      switch request.mode {
      case .any: "any of these words"
      case .phrase: "this phrase"
      case .all where hasPhrase: "all of this"
      case .all: words.count > 1 ? "all of these words" : "this word"
      }
    let rest = counts.isEmpty ? "" : "; " + counts.joined(separator: ", ")
    let isNarrowed = request.domain != nil || request.filter != nil || request.within != nil
    Diagnostics.line("no item \(isNarrowed ? "that fits " : "")has \(what)\(rest)")
    let isName = try answering(moment.item(request.text) != nil)
    if isName { Diagnostics.line("it is the id of an item; see: cairn show") }
  }
}
