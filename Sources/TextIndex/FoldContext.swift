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
  var recentItems = RecentItems()

  /// Puts in one call from which on documents go straight to merged form.
  var bulkPutCount = IndexLimits.bulkPutCount

  /// Puts in one call from which on postings go straight to their lists.
  var directPutCount = IndexLimits.directPutCount

  /// Whether the postings of the present call do so.
  private(set) var isDirect = false

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
  /// The documents of the call after the present one, and whether the second thread is at them.
  private var upcoming: (name: UInt64, count: Int, source: AnalysisAhead.Source)?
  private var startedName: UInt64?
  private lazy var helper = WriterThread(name: "cairn-analyst")

  /// Creates an empty context; not for use from two threads at once.
  package init() {}

  deinit { ahead?.end() }

  /// Whether a second thread analyses documents.
  var isAhead: Bool { ahead != nil }

  /// Lets a second thread analyse documents, to be taken with `takeDocument` in their order.
  func analyseAhead(
    count: Int,
    isDirect: Bool,
    _ analyzer: Analyzer,
    source: @escaping AnalysisAhead.Source
  ) {
    self.isDirect = isDirect
    if isDirect, !inverter.hasCounts { forget(stamp: inverter.stamp) }
    inverter.learn(analyst.vocabulary.keys)
    missing = count
    ahead = AnalysisAhead(
      count: count,
      analyst: analyst,
      analyzer: analyzer,
      helper: helper,
      source: source
    )
  }

  /// The same for a build, whose batches have names: one that was begun ahead is gone on with.
  func analyseBatch(
    count: Int,
    named name: UInt64?,
    _ build: IndexBuild,
    _ analyzer: Analyzer,
    source: @escaping AnalysisAhead.Source
  ) {
    if startedName == nil || startedName != name || missing != count {
      endAhead()
      start(count, build, analyzer, source)
    }
    startedName = nil
    build.beginBatch()
  }

  /// Tells a build what the call after the present one puts, so that the second thread need not wait
  /// while the batch is written.
  ///
  /// - Parameters:
  ///   - name: What the batch goes by; no other may go by it.
  ///   - count: How many documents will be put, none for not knowing yet.
  ///   - source: The fields of a document by its place, and the bytes they are ranges of.
  package func prepare(
    _ name: UInt64,
    count: Int,
    source: @escaping @Sendable (Int) -> (fields: [TextIndex.Field], bytes: [UInt8])
  ) {
    upcoming = count > 0 ? (name, count, source) : nil
  }

  /// Lets the second thread go on with the documents of the call after the present one, all of whose
  /// documents were taken.
  func startUpcoming(_ build: IndexBuild, _ analyzer: Analyzer) {
    guard missing == 0, let next = upcoming else { return }
    endAhead()
    start(next.count, build, analyzer, next.source)
    startedName = next.name
  }

  private func start(
    _ count: Int,
    _ build: IndexBuild,
    _ analyzer: Analyzer,
    _ source: @escaping AnalysisAhead.Source
  ) {
    build.analyst.forget()
    missing = count
    ahead = AnalysisAhead(
      count: count,
      analyst: build.analyst,
      analyzer: analyzer,
      helper: helper,
      mayLeaveWeighing: true,
      source: source
    )
  }

  /// Makes the next document the present one.
  func takeDocument() throws(StorageError) {
    guard let ahead, missing > 0 else {
      throw StorageError(.internal, "a document was not analysed")
    }
    missing -= 1
    chunkPlace += 1
    if chunkPlace >= chunk.count {
      chunk = ahead.next()
      chunkPlace = 0
      if let build { build.add(chunk.keys) } else { inverter.add(chunk.keys) }
    }
    chunk.copy(chunkPlace, into: &document)
    if !chunk.isWeighed { build?.weigh(&document) }
  }

  /// Ends what the second thread does for the present call; call at the end of every fold, done or
  /// failed.
  package func endCall() {
    if startedName == nil { endAhead() }
  }

  /// Ends whatever the second thread does.
  package func endAhead() {
    upcoming = nil
    startedName = nil
    guard let ahead else { return }
    ahead.end()
    self.ahead = nil
    chunk = AnalysedChunk()
    chunkPlace = 0
    // Numbers that were given and not taken are no good to anybody; a build has new ones each time.
    if missing > 0, build == nil { forget() }
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
