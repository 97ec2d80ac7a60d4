internal import LMDB
internal import Projections

/// Everything about the index that is one number; one row, rewritten by each change.
struct IndexState: Hashable, Sendable {
  static let version: UInt8 = 8
  static let key = SharedRows.textStateKey

  /// The number the next document version gets; numbers rise with the log and start at 1.
  var nextDocument: UInt32 = 1
  /// Documents up to here are in merged form, later ones pending.
  var mergedDocument: UInt32 = 0
  /// The id the next new term gets.
  var nextTerm: UInt32 = 0
  /// Ended documents whose postings are apart in past lists, but for those hardly worth it.
  var pastCount: UInt32 = 0
  /// How many there will be when the sweep under way ends.
  var pastTarget: UInt32 = 0
  /// The first term that this sweep has not seen.
  var splitTerm: UInt32 = 0
  /// Documents that are the present version of their item.
  var liveCount: UInt32 = 0
  /// Ends of documents ever; the next one gets this number.
  var endCount: UInt32 = 0
  /// Ends that the columns show: those with smaller numbers.
  var foldedTombstoneCount: UInt32 = 0
  /// Tokens of buffered documents.
  var pendingTokenCount: UInt64 = 0
  /// Changes with every merge and bulk load, to tell whether cached term ids still hold.
  var stamp: UInt64 = 0
  /// Chosen at random when the index is begun, to tell whether cached rows still hold.
  var epoch: UInt64 = 0
  /// Digest of all versions.
  var digest = RowDigest()
  var deltaCount: UInt32 = 0
  /// How many of them compaction has yet to visit to keep up with the documents.
  var compactionDebt: UInt32 = 0
  /// The compaction cursor: the first term not visited on this round, empty for the first of all.
  var compactionKey: [UInt8] = []

  /// All versions ever, ended ones included: the N of the ranking formula.
  var documentCount: UInt32 { nextDocument - 1 }

  /// Whether a sweep that puts ended postings apart is under way.
  var isSplitting: Bool { pastTarget != pastCount }

  /// Merged documents of which the columns show that they have ended.
  var mergedEndCount: UInt32 { documentCount - min(documentCount, liveCount + tombstoneCount) }

  /// Ends that the columns do not show yet.
  var tombstoneCount: UInt32 { endCount - foldedTombstoneCount }

  /// Documents not yet merged.
  var pendingCount: UInt32 { nextDocument - 1 - mergedDocument }

  init() {}

  /// Reads the state; the initial one when nothing is stored.
  init(_ txn: borrowing ReadTransaction, _ tables: IndexTables) throws(CairnError) {
    guard let row = try txn.get(tables.state, Self.key) else { return }
    var reader = ByteReader(row)
    guard try reader.readUInt8() == Self.version else {
      throw CairnError(.unsupportedFormat, "the text index has another format; rebuild it")
    }
    nextDocument = try reader.readLittleEndian32()
    mergedDocument = try reader.readLittleEndian32()
    nextTerm = try reader.readLittleEndian32()
    liveCount = try reader.readLittleEndian32()
    endCount = try reader.readLittleEndian32()
    foldedTombstoneCount = try reader.readLittleEndian32()
    pendingTokenCount = try reader.readLittleEndian64()
    stamp = try reader.readLittleEndian64()
    epoch = try reader.readLittleEndian64()
    digest.low = try reader.readLittleEndian64()
    digest.high = try reader.readLittleEndian64()
    deltaCount = try reader.readLittleEndian32()
    compactionDebt = try reader.readLittleEndian32()
    pastCount = try reader.readLittleEndian32()
    pastTarget = try reader.readLittleEndian32()
    splitTerm = try reader.readLittleEndian32()
    compactionKey = try reader.readBytes(reader.remaining).array()
    guard nextDocument > mergedDocument, endCount >= foldedTombstoneCount, pastTarget >= pastCount
    else { throw DocumentRecord.damaged }
  }

  func write(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(CairnError) {
    var row = ByteWriter(capacity: 160)
    row.append(Self.version)
    row.appendLittleEndian(nextDocument)
    row.appendLittleEndian(mergedDocument)
    row.appendLittleEndian(nextTerm)
    row.appendLittleEndian(liveCount)
    row.appendLittleEndian(endCount)
    row.appendLittleEndian(foldedTombstoneCount)
    row.appendLittleEndian(pendingTokenCount)
    row.appendLittleEndian(stamp)
    row.appendLittleEndian(epoch)
    row.appendLittleEndian(digest.low)
    row.appendLittleEndian(digest.high)
    row.appendLittleEndian(deltaCount)
    row.appendLittleEndian(compactionDebt)
    row.appendLittleEndian(pastCount)
    row.appendLittleEndian(pastTarget)
    row.appendLittleEndian(splitTerm)
    row.append(compactionKey)
    try txn.put(tables.state, Self.key.rawSpan, row.bytes)
  }
}
