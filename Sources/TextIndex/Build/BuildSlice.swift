internal import LMDB
internal import Synchronization
internal import Text

/// A part of a batch of a build on its way to a run: a thread analyses its documents and gathers
/// their postings, the writer says which ones are new and gives them numbers, and another thread
/// codes the run.
final class BuildSlice: @unchecked Sendable {
  // Sendable by hand: from `start` and `encode` until the wait for them it belongs to their thread,
  // else to the writer.

  /// What the writer needs to know of a document.
  struct Document: Sendable {
    var lengths: SIMD4<UInt32>
    var content: UInt64
    var titleEnd: Int
  }

  private let analyst = DocumentAnalyst()
  private var document = AnalysedDocument()
  private var lists = PostingLists()
  private var titles = ByteWriter(capacity: 1 << 16)
  private(set) var documents: [Document] = []
  private let isCancelled = Atomic<Bool>(false)
  /// Signalled when the thread that has it is done.
  private var done: Semaphore?

  /// Which documents are new, in their order.
  private var kept: [Bool] = []
  private var keptCount: UInt32 = 0
  private var firstDocument: UInt32 = 0
  private var records = ByteWriter(capacity: 1 << 16)
  private var record = ByteWriter(capacity: 4_096)
  private var run = RunWriter()
  private var outcome: Result<Void, CairnError> = .success(())

  /// Has a thread analyse documents.
  func start(
    _ range: Range<Int>, _ analyzer: Analyzer, on helper: WriterThread,
    source: @escaping AnalysisAhead.Source
  ) {
    cancel()
    isCancelled.store(false, ordering: .relaxed)
    kept.removeAll(keepingCapacity: true)
    keptCount = 0
    records.removeAll()
    submit(to: helper) { $0.analyse(range, analyzer, source) }
  }

  /// Ends what a thread does with it.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    wait()
  }

  /// Waits until no thread has it.
  func wait() {
    done?.wait()
    done = nil
  }

  private func submit(to helper: WriterThread, _ work: @escaping @Sendable (BuildSlice) -> Void) {
    let done = Semaphore()
    self.done = done
    helper.submit { [self] in
      work(self)
      done.signal()
    }
  }

  private func analyse(_ range: Range<Int>, _ analyzer: Analyzer, _ source: AnalysisAhead.Source) {
    analyst.forgetKeepingRoom()
    lists.removeAll()
    titles.removeAll()
    documents.removeAll(keepingCapacity: true)
    for place in range {
      if isCancelled.load(ordering: .relaxed) { return }
      let (fields, bytes) = source(place)
      analyst.analyse(fields, bytes, analyzer, into: &document)
      let number = UInt32(truncatingIfNeeded: documents.count)
      lists.add(number, document, termCount: analyst.vocabulary.count)
      DocumentRecord.writeTitles(document.tokens, to: &titles)
      documents.append(
        Document(
          lengths: document.tokens.lengths, content: document.content, titleEnd: titles.count))
    }
  }

  /// Makes the document at an index a new one, whose number follows the one before it.
  func keep(_ index: Int, _ number: UInt32, _ header: DocumentRecord.Header) {
    if keptCount == 0 { firstDocument = number }
    keptCount += 1
    while kept.count < index { kept.append(false) }
    kept.append(true)
    record.removeAll()
    DocumentRecord.writeHeader(header, to: &record)
    let start = index == 0 ? 0 : documents[index - 1].titleEnd
    record.append(titles.bytes.extracting(start..<documents[index].titleEnd))
    records.appendVarint(UInt64(record.count))
    records.append(record)
  }

  /// Has a thread code the documents that were kept.
  func encode(on helper: WriterThread) {
    while kept.count < documents.count { kept.append(false) }
    submit(to: helper) { slice in
      slice.outcome = Result { () throws(CairnError) in try slice.encode() }
    }
  }

  private func encode() throws(CairnError) {
    let keepsAll = keptCount == UInt32(truncatingIfNeeded: documents.count)
    try run.write(
      analyst.vocabulary.keys, lists, firstDocument: firstDocument, kept: keepsAll ? nil : kept)
  }

  /// Writes the run at an offset of a file, and tells where it ends.
  /// - Throws: `.diskFull` and the like.
  func writeRun(to file: SpillFile, at start: Int) throws(CairnError) -> Int {
    try outcome.get()
    guard keptCount > 0 else { return start }
    return try run.write(records, documentCount: keptCount, firstDocument, to: file, at: start)
  }
}
