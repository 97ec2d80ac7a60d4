internal import LMDB
internal import Synchronization
internal import Text

/// Documents that a second thread analyses while the writer stores those before them.
///
/// Terms get their numbers in the order of the documents and everything else about a document is a
/// function of its text, so the rows are the same as if one thread had done it all.
final class AnalysisAhead: Sendable {
  /// The text of a document: fields, and the bytes they are ranges of.
  typealias Source = @Sendable (Int) -> (fields: [TextIndex.Field], bytes: [UInt8])

  private struct State {
    var chunks: [AnalysedChunk] = []
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let ready = Semaphore()
  private let room = Semaphore()
  private let helper: WriterThread

  /// Pieces that may wait to be stored, which bounds the memory they take.
  private static let waitingCountMax = 64

  /// Begins with the first of `count` documents.
  init(
    count: Int, analyst: DocumentAnalyst, analyzer: Analyzer, helper: WriterThread,
    source: @escaping Source
  ) {
    self.helper = helper
    for _ in 0..<Self.waitingCountMax { room.signal() }
    helper.submit { self.run(count, analyst, analyzer, source) }
  }

  private func run(_ count: Int, _ analyst: DocumentAnalyst, _ analyzer: Analyzer, _ source: Source)
  {
    var next = 0
    var document = AnalysedDocument()
    while next < count {
      room.wait()
      if state.withLock({ $0.isCancelled }) { return }
      let known = analyst.vocabulary.count
      var chunk = AnalysedChunk()
      while next < count, chunk.hasRoom {
        let (fields, bytes) = source(next)
        analyst.analyse(fields, bytes, analyzer, into: &document)
        chunk.append(document)
        next += 1
      }
      chunk.keys.append(analyst.vocabulary.keys, from: known)
      state.withLock { $0.chunks.append(chunk) }
      ready.signal()
    }
  }

  /// The next piece; call only while documents are missing.
  func next() -> AnalysedChunk {
    ready.wait()
    room.signal()
    return state.withLock { $0.chunks.removeFirst() }
  }

  /// Ends the work, done or not, and waits until the helper has let go of the analyst.
  func end() {
    state.withLock { $0.isCancelled = true }
    room.signal()
    helper.wait()
  }
}

/// Analysed documents in flat arrays.
struct AnalysedChunk: Sendable {
  /// Where the parts of a document end.
  private struct Document {
    var tokens: Int
    var titles: Int
    var terms: Int
    var positions: Int
    var lengths: SIMD4<UInt32>
    var weights: [FieldWeight]
    var content: UInt64
  }

  private var documents: [Document] = []
  private var tokens: [DocumentTokens.Token] = []
  private var titles: [DocumentTokens.Title] = []
  private var terms: [TermImpact] = []
  private var positions: [UInt8] = []
  /// Terms that no piece before this one had, in the order of their numbers.
  var keys = TermKeys()

  var count: Int { documents.count }

  /// Enough to make handing over cheap, little enough to keep the cache warm.
  var hasRoom: Bool { documents.count < 256 && tokens.count < 16_384 }

  mutating func append(_ document: AnalysedDocument) {
    tokens.append(contentsOf: document.tokens.tokens)
    titles.append(contentsOf: document.tokens.titles)
    terms.append(contentsOf: document.terms)
    positions.append(contentsOf: document.positions)
    documents.append(
      Document(
        tokens: tokens.count, titles: titles.count, terms: terms.count, positions: positions.count,
        lengths: document.tokens.lengths, weights: document.tokens.weights,
        content: document.content))
  }

  func copy(_ index: Int, into document: inout AnalysedDocument) {
    let end = documents[index]
    let start = index == 0 ? nil : documents[index - 1]
    document.tokens.removeAll()
    document.tokens.tokens.append(contentsOf: tokens[(start?.tokens ?? 0)..<end.tokens])
    document.tokens.titles.append(contentsOf: titles[(start?.titles ?? 0)..<end.titles])
    document.tokens.lengths = end.lengths
    document.tokens.weights = end.weights
    document.terms.removeAll(keepingCapacity: true)
    document.terms.append(contentsOf: terms[(start?.terms ?? 0)..<end.terms])
    document.positions.removeAll(keepingCapacity: true)
    document.positions.append(contentsOf: positions[(start?.positions ?? 0)..<end.positions])
    document.content = end.content
  }
}
