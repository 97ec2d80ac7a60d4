internal import LMDB
internal import Projections

struct IndexTables: Sendable {
  /// One row of the table shared with others: `IndexState`.
  static let stateName = SharedRows.tableName
  /// Space and bytes of a term → `DictionaryEntry`.
  static let termsName: TableName = "text-terms"
  /// Number of a `TermList`, last document (all ones for the growing chunk) → `PostingChunk`.
  static let postingsName: TableName = "text-postings"
  /// Space and bytes of a term → `DeltaRow`, postings that are not in the two tables above yet.
  static let deltaName: TableName = "text-delta"
  /// Term id, document, part → run of positions too long to stand beside its posting.
  static let positionsName: TableName = "text-positions"
  /// Last document of a block, part → `DocumentBlock` of merged documents.
  static let documentsName: TableName = "text-documents"
  /// Document, part → `DocumentRecord` of a buffered document; behind the last document there was,
  /// number → `Tombstone`.
  static let pendingName: TableName = "text-pending"
  /// Block of documents → item and liveness of each, `ColumnBlock`.
  static let columnsName: TableName = "text-columns"
  /// Block of items → present version of each, `ItemBlock`.
  static let itemsName: TableName = "text-items"
  /// Document → `DocumentEnd` that is in the columns.
  static let endsName: TableName = "text-ends"

  static let names = [
    stateName, termsName, postingsName, deltaName, positionsName, documentsName, pendingName,
    columnsName, itemsName, endsName,
  ]

  var state: Table
  var terms: Table
  var postings: Table
  var delta: Table
  var positions: Table
  var documents: Table
  var pending: Table
  var columns: Table
  var items: Table
  var ends: Table

  init(_ environment: Environment) {
    state = environment[Self.stateName]
    terms = environment[Self.termsName]
    postings = environment[Self.postingsName]
    delta = environment[Self.deltaName]
    positions = environment[Self.positionsName]
    documents = environment[Self.documentsName]
    pending = environment[Self.pendingName]
    columns = environment[Self.columnsName]
    items = environment[Self.itemsName]
    ends = environment[Self.endsName]
  }

  static func key(_ number: UInt32) -> [UInt8] {
    [
      UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
      UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
    ]
  }

  static func setKey(_ key: inout ByteWriter, _ list: TermList, _ document: UInt32) {
    key.removeAll()
    key.appendBigEndian(list.number)
    key.appendBigEndian(document)
  }

  /// Makes bytes the key of a list's chunk.
  static func setKey(_ bytes: inout [UInt8], _ list: TermList, _ document: UInt32) {
    if bytes.count != 8 { bytes = Array(repeating: 0, count: 8) }
    for byte in 0..<4 {
      bytes[byte] = UInt8(truncatingIfNeeded: list.number >> UInt32(24 - 8 * byte))
      bytes[4 + byte] = UInt8(truncatingIfNeeded: document >> UInt32(24 - 8 * byte))
    }
  }
}
