package import LMDB
package import Text

/// A full-text index that remembers every version of every text: search now, or as of any past
/// sequence.
///
/// Every change of an item's text makes a new immutable document version with a rising number; the
/// old one gets an end. New documents are buffered, searched like all others, until some hundreds
/// together become delta rows, which compaction brings into the lists of their terms. A value of
/// this type holds table handles and a cache only.
///
/// Postings are written by one pipeline: sources (a batch of documents, delta rows, sorted runs, an
/// old index), a merge, and sinks (`DeltaRow`, `TermSink`, `ListSink`). They are read by one cursor
/// (`TermCursor`) and one evaluator (`SearchRun`). The article "Search" has the whole of it.
package struct TextIndex: Sendable {
  /// The tables it owns inside the shared view file.
  package static let tables: [TableName] = IndexTables.names

  /// The tables of which ``recomputedDigest(in:itemKey:visit:)`` reads every row.
  package static let auditedTables: [TableName] = [
    IndexTables.termsName, IndexTables.postingsName, IndexTables.deltaName,
    IndexTables.positionsName, IndexTables.documentsName, IndexTables.itemsName,
    IndexTables.endsName,
  ]

  /// Changes with the form or meaning of the rows; views of another version are rebuilt.
  package static let formatVersion: UInt32 = 13

  let tables: IndexTables
  let analyzer: Analyzer
  let bufferCache: WriteBufferCache
  var unionCache = UnionCache()
  let languageCache = LanguageCache()
  let boundsCache = DocumentBounds.Cache()

  package init(environment: Environment, analyzer: Analyzer = Analyzer()) {
    tables = IndexTables(environment)
    self.analyzer = analyzer
    bufferCache = WriteBufferCache()
  }

  /// The kinds of text an item has, each with its own weight in ranking.
  package enum FieldKind: UInt8, Sendable, CaseIterable {
    case title = 0
    case keywords = 1
    case description = 2
    case text = 3
  }

  /// One value of a field: a range of the bytes that come with the change.
  package struct Field: Sendable, Hashable {
    package var kind: FieldKind
    /// Where its UTF-8 stands.
    package var bytes: Range<Int>
    /// How many times as much it counts as a field of its kind does, above 0.
    package var weight: Float

    package init(kind: FieldKind, bytes: Range<Int>, weight: Float = 1) {
      self.kind = kind
      self.bytes = bytes
      self.weight = weight
    }
  }

  /// What happened to the text of an item.
  package enum Change: Sendable {
    /// The item has this text from the sequence on. `itemKey` is a hash of its identifier.
    case put(
      item: UInt32, itemKey: (UInt64, UInt64), sequence: UInt64, fields: [Field], buffer: [UInt8])
    /// The item is gone from the sequence on.
    case remove(item: UInt32, itemKey: (UInt64, UInt64), sequence: UInt64)
  }
}
