internal import LMDB

/// Writes one term's chunks after the other.
struct PostingWriter: ~Copyable {
  private let tables: IndexTables
  private var builder = PostingChunk.Builder()
  private var key = ByteWriter(capacity: 8)
  private var row = ByteWriter(capacity: IndexLimits.rowByteCount)
  private var term: UInt32 = 0
  /// Greatest key in the table, to append behind it.
  private var lastKey: UInt64

  init(_ tables: IndexTables, lastKey: UInt64) {
    self.tables = tables
    self.lastKey = lastKey
  }

  /// Greatest key of the postings, 0 when there are none.
  static func lastKey(_ txn: borrowing ReadTransaction, _ tables: IndexTables) throws(StorageError)
    -> UInt64
  {
    var cursor = try txn.cursor(tables.postings)
    guard let last = try cursor.last() else { return 0 }
    guard last.key.byteCount == 8 else { throw PostingCode.damaged }
    return last.key.loadBigEndian64(at: 0)
  }

  mutating func begin(_ term: UInt32, resumes: Bool, _ txn: borrowing ReadTransaction)
    throws(StorageError)
  {
    self.term = term
    guard resumes else { return builder.begin(after: 0) }
    IndexTables.setKey(&key, term, .max)
    guard let tail = try txn.get(tables.postings, key.bytes) else { throw PostingCode.damaged }
    try builder.resume(tail)
  }

  mutating func append(_ posting: Posting, _ run: borrowing RawSpan, _ txn: inout WriteTransaction)
    throws(StorageError)
  {
    guard posting.document > builder.lastDocument else { throw PostingCode.damaged }
    if !builder.hasRoom(for: posting, positionByteCount: run.byteCount) {
      let last = builder.lastDocument
      try write(last, &txn)
      builder.begin(after: last)
    }
    builder.append(posting, run)
  }

  mutating func finish(_ txn: inout WriteTransaction) throws(StorageError) { try write(.max, &txn) }

  private mutating func write(_ document: UInt32, _ txn: inout WriteTransaction)
    throws(StorageError)
  {
    IndexTables.setKey(&key, term, document)
    builder.write(to: &row)
    let number = UInt64(term) << 32 | UInt64(document)
    if number > lastKey {
      try txn.append(tables.postings, key.bytes, row.bytes)
      lastKey = number
    } else {
      try txn.put(tables.postings, key.bytes, row.bytes)
    }
  }
}
