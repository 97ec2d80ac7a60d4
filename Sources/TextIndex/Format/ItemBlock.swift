internal import LMDB
internal import Projections

struct ItemEntry: Hashable, Sendable {
  /// Its present version, 0 when it has none.
  var document: UInt32 = 0
  var versionCount: UInt32 = 0
  /// Hash of the tokens of the present version.
  var content: UInt64 = 0

  init() {}

  /// The entry of an item whose present version is the document.
  init(_ document: UInt32, _ version: DocumentRecord.Version) {
    self.document = document
    versionCount = version.number
    content = version.content
  }

  /// The digest row of one version of the item whose identifier has that hash.
  static func row(_ key: NameKey, version: UInt32, content: UInt64, isLive: Bool) -> RowHasher {
    var row = RowHasher(kind: 0x7465_7874)
    row.add(key)
    row.add(UInt64(version))
    row.add(content)
    row.add(isLive ? 1 : 0)
    return row
  }

  /// The digest row of the present version.
  func row(_ key: NameKey, isLive: Bool) -> RowHasher {
    Self.row(key, version: versionCount, content: content, isLive: isLive)
  }
}

/// Neighbouring items in one row.
///
/// 13 bytes an item, little-endian: present version (32 bits), how many versions there were (8),
/// content (64). A count of 255 and more stands as 255, and behind the items, in their order, as 32
/// bits. So a row keeps its length when an item gets a version, and stays in its page.
enum ItemBlock {
  static let entryByteCount = 13
  /// Bytes of a row whose items have few versions.
  static let byteCount = IndexLimits.itemRowCount * entryByteCount
  /// The first count that stands behind the items.
  private static let countMin: UInt32 = 255

  /// Number of the row that an item stands in.
  static func number(of item: UInt32) -> UInt32 { item / UInt32(IndexLimits.itemRowCount) }

  /// The present version of an item that stands in a row, 0 when it has none.
  /// - Throws: `.corrupt` when the row is too short.
  static func document(of item: UInt32, _ row: RawSpan) throws(CairnError) -> UInt32 {
    guard row.byteCount >= byteCount else { throw damaged }
    return row.loadLittleEndian32(at: Int(item % UInt32(IndexLimits.itemRowCount)) * entryByteCount)
  }

  /// Makes a writer hold the row of the entries.
  static func write(_ entries: ArraySlice<ItemEntry>, to row: inout ByteWriter) {
    row.removeAll()
    for entry in entries {
      row.appendLittleEndian(entry.document)
      row.append(UInt8(clamping: entry.versionCount))
      row.appendLittleEndian(entry.content)
    }
    for entry in entries where entry.versionCount >= countMin {
      row.appendLittleEndian(entry.versionCount)
    }
  }

  /// Adds the entries of a row to an array.
  /// - Throws: `.corrupt` when the row is none.
  static func read(_ row: RawSpan, into entries: inout [ItemEntry]) throws(CairnError) {
    guard row.byteCount >= byteCount else { throw damaged }
    var more = byteCount
    for offset in stride(from: 0, to: byteCount, by: entryByteCount) {
      var entry = ItemEntry()
      entry.document = row.loadLittleEndian32(at: offset)
      entry.versionCount = UInt32(row.byte(at: offset + 4))
      entry.content = row.loadLittleEndian64(at: offset + 5)
      if entry.versionCount == countMin {
        guard more + 4 <= row.byteCount else { throw damaged }
        entry.versionCount = row.loadLittleEndian32(at: more)
        guard entry.versionCount >= countMin else { throw damaged }
        more += 4
      }
      entries.append(entry)
    }
    guard more == row.byteCount else { throw damaged }
  }

  private static var damaged: CairnError {
    CairnError(.corrupt, "an item row of the text index is damaged; rebuild the text index")
  }
}
