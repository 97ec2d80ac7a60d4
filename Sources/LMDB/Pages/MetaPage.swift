import Files
import Glibc

/// One of the two pages at the start of a file that say where everything is (`mdb.c`, `MDB_meta`).
struct MetaPage {
  /// Bytes of page header and meta block on a 64-bit machine.
  private static let byteCount = 152

  let pageByteCount: Int
  let main: TableRecord
  /// The list of free pages.
  let free: TableRecord
  let lastPage: UInt64
  let transaction: UInt64

  /// Checks both meta pages and that nothing they lead to lies beyond the end of the file; tells
  /// whether the file is short.
  ///
  /// A sound file may be shorter than its last page says: LMDB never writes pages that a
  /// transaction took and gave back. So a short file is walked before it is called damaged.
  static func check(_ descriptor: CInt, place: String) throws(CairnError) -> Bool {
    let newest = try newest(descriptor, place: place)
    let pageCount = try FileStatus(descriptor, place: place).byteCount / newest.pageByteCount
    guard UInt64(pageCount) <= newest.lastPage else { return false }
    try PageTree.check(descriptor, newest, place: place)
    return true
  }

  /// The meta page of the last commit.
  static func newest(_ descriptor: CInt, place: String) throws(CairnError) -> MetaPage {
    let first = try read(descriptor, at: 0, place: place)
    let second = try read(descriptor, at: first.pageByteCount, place: place)
    return second.transaction > first.transaction ? second : first
  }

  private static func read(_ descriptor: CInt, at offset: Int, place: String) throws(CairnError)
    -> MetaPage
  {
    var block = [UInt8](repeating: 0, count: byteCount)
    let count = unsafe pread(descriptor, &block, byteCount, offset)
    guard count >= 0 else { throw CairnError(status: errno, doing: "read the file", place: place) }
    let bytes = block.rawSpan
    // Page flag 0x08 marks a meta page.
    guard count == byteCount, bytes.loadLittleEndian16(at: 10) & 0x08 != 0,
      bytes.loadLittleEndian32(at: 16) == 0xBEEF_C0DE
    else {
      throw CairnError(
        offset == 0 ? .notAStore : .corrupt,
        "the start of the file is not that of a store; check the path, or restore the file from "
          + "a copy", place: place)
    }
    guard bytes.loadLittleEndian32(at: 20) == 1 else {
      throw CairnError(
        .unsupportedFormat,
        "the file is in another LMDB format; open it with the version that wrote it", place: place)
    }
    let pageByteCount = Int(bytes.loadLittleEndian32(at: 40))
    guard (512...65_536).contains(pageByteCount), pageByteCount.nonzeroBitCount == 1 else {
      throw CairnError(
        .corrupt, "the page size in the file makes no sense; restore the file from a copy",
        place: place)
    }
    guard let free = TableRecord(block, at: 40), let main = TableRecord(block, at: 88) else {
      throw CairnError(.internal, "a meta page is longer than that", place: place)
    }
    return MetaPage(
      pageByteCount: pageByteCount, main: main, free: free,
      lastPage: bytes.loadLittleEndian64(at: 136), transaction: bytes.loadLittleEndian64(at: 144))
  }
}
