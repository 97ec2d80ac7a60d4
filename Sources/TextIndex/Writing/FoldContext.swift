internal import LMDB
internal import Text

/// Buffers and caches for folding changes, kept by the writer from call to call.
///
/// Holds nothing that matters: a fresh one gives the same rows. What it remembers of the
/// dictionary is checked against the store at each call, so it survives aborted transactions.
package final class FoldContext {
  var inverter = Inverter()
  let analyst = DocumentAnalyst()
  var vocabulary = Vocabulary(capacity: 64)
  var document = AnalysedDocument()
  var buffer = TokenBuffer()
  var row = ByteWriter(capacity: 4_096)
  var key = ByteWriter(capacity: 256)
  /// Of the state after the last fold that was not in bulk.
  var bufferedItems = BufferedItems()

  /// Puts in one call from which on documents go straight to merged form.
  var bulkPutCount = IndexLimits.bulkPutCount

  /// Puts in one call from which on postings go straight to their lists.
  var directPutCount = IndexLimits.directPutCount

  /// Longest delta row that the present call writes.
  private(set) var deltaByteCountMax = 0

  /// What collects the postings of an index that nobody reads yet, nil for any other.
  var build: IndexBuild?

  /// Whether what is folded goes into an index that nobody reads yet.
  package var isBuilding: Bool { build != nil }

  /// How merges go.
  package var pace = MergePace()

  /// The documents of the present call, when a second thread analyses them.
  private var ahead: AnalysisAhead?
  private var chunk = AnalysedChunk()
  private var chunkPlace = 0
  private var missing = 0
  private lazy var helper = WriterThread(name: "cairn-analyst")

  /// Creates an empty context; not for use from two threads at once.
  package init() {}

  deinit { ahead?.end() }

  /// Whether other threads analyse documents.
  var isAhead: Bool { ahead != nil || build?.isTaking == true }

  /// Lets a second thread analyse documents, to be taken with `takeDocument` in their order.
  func analyseAhead(
    count: Int, deltaByteCountMax: Int, _ analyzer: Analyzer, source: @escaping AnalysisAhead.Source
  ) {
    self.deltaByteCountMax = deltaByteCountMax
    inverter.learn(analyst.vocabulary.keys)
    missing = count
    ahead = AnalysisAhead(
      count: count, analyst: analyst, analyzer: analyzer, helper: helper, source: source)
  }

  /// Tells a build what the call after the present one puts, so that the other threads need not
  /// wait while the present one is stored.
  /// - Parameters:
  ///   - name: What the batch goes by; no other may go by it.
  ///   - count: How many documents will be put, none for not knowing yet.
  ///   - source: The fields of a document by its place, and the bytes they are ranges of.
  package func prepare(
    _ name: UInt64, count: Int,
    source: @escaping @Sendable (Int) -> (fields: [TextIndex.Field], bytes: [UInt8])
  ) { if count > 0 { build?.prepare(name, count: count, source: source) } }

  /// Makes the next document the present one.
  func takeDocument() throws(CairnError) {
    if let build {
      let next = try build.next()
      document.content = next.content
      document.tokens.lengths = next.lengths
      return
    }
    guard let ahead, missing > 0 else { throw IndexBuild.isMissing }
    missing -= 1
    chunkPlace += 1
    if chunkPlace >= chunk.count {
      chunk = ahead.next()
      chunkPlace = 0
      inverter.add(chunk.keys)
    }
    chunk.copy(chunkPlace, into: &document)
  }

  /// Ends what other threads do for the present call; call at the end of every fold, done or
  /// failed.
  package func endCall() {
    build?.endBatch()
    endAnalysis()
  }

  /// Ends whatever other threads do.
  package func endAhead() {
    build?.endAll()
    endAnalysis()
  }

  private func endAnalysis() {
    guard let ahead else { return }
    ahead.end()
    self.ahead = nil
    chunk = AnalysedChunk()
    chunkPlace = 0
    // Numbers that were given and not taken are no good to anybody.
    if missing > 0 { forget() }
    missing = 0
  }

  /// Forgets what no longer holds: call at the start of each transaction.
  func synchronize(with state: IndexState) {
    if !inverter.holds(state) { forget(stamp: state.stamp) }
  }

  /// Forgets everything about terms.
  func forget(stamp: UInt64? = nil) {
    inverter = Inverter(stamp: stamp)
    analyst.forget()
  }
}
