import Cairn
import Rows

/// Answers the queries of a file in their order, on one open store.
struct QueryStream {
  let store: Store
  let defaults: QueryLine
  let json: Bool
  /// What was fitted for a sequence, so that queries of one moment share it.
  private var fitted: (sequence: UInt64, scales: RankingScales)?

  init(store: Store, defaults: QueryLine, json: Bool) {
    self.store = store
    self.defaults = defaults
    self.json = json
  }

  /// A line that is no query is reported and ends the command with 65; the others are answered.
  mutating func run(_ file: String) throws(Failure) {
    var reader = try LineReader(file)
    var output = Output()
    var hasBadLine = false
    while true {
      switch try reader.next() {
      case .line(let line):
        guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
        do throws(MalformedLine) {
          try answer(try QueryLine.parse(line, defaults: defaults, store: store), to: &output)
        } catch {
          hasBadLine = true
          Diagnostics.line("\(reader.name):\(reader.lineNumber): \(error.reason)")
        }
      case .tooLong:
        hasBadLine = true
        Diagnostics.line("\(reader.name):\(reader.lineNumber): the line is too long")
      // Whoever sends one query after another waits for the answer.
      case .pause: try output.flush()
      case .end:
        try output.flush()
        if hasBadLine { throw Failure(.data, nil) }
        return
      }
    }
  }

  private mutating func answer(_ query: QueryLine, to output: inout Output) throws(MalformedLine) {
    let start = ContinuousClock.now
    let results: Results<SearchHit>
    let correction: String?
    let sources: KeyOrdered<[ItemSource]>
    do throws(CairnError) {
      var moment = try store.at(query.point, now: query.now)
      if let scales = query.scales { moment.scales = try weights(scales, at: moment) }
      results = try moment.results(of: query.request)
      correction = try moment.correction(of: query.request, afterFinding: results)
      sources = try query.request.explains ? results.sources(at: moment) : [:]
    } catch {
      throw MalformedLine(
        reason: [error.argument, error.advisedMessage].compactMap(\.self).joined(separator: ": "))
    }
    do throws(Failure) {
      if json {
        try output.object { line in
          line.field("query", query.request.text)
          line.fields(of: results, names: query.names, sources: sources)
          line.field("micros", since: start)
          if let correction { line.field("didYouMean", correction) }
        }
      } else {
        try output.line("\(DisplayText.fit(query.request.text, Terminal.width)):")
        try ResultsText(json: false).write(results, to: &output) { _, _ in
        } text: { (hit, output) throws(Failure) in
          try HitText.write(hit, names: query.names, sources: sources[hit.item] ?? [], to: &output)
        }
        if let correction { try output.line("  \(HitText.offer(correction))") }
      }
    } catch { throw MalformedLine(reason: error.message ?? "cannot be written") }
  }

  private mutating func weights(_ argument: ScaleChoice, at moment: Moment) throws(CairnError)
    -> RankingScales
  {
    guard case .fit = argument else { return try argument.scales(at: moment) }
    if let fitted, fitted.sequence == moment.sequence { return fitted.scales }
    let scales = try argument.scales(at: moment)
    fitted = (moment.sequence, scales)
    return scales
  }
}
