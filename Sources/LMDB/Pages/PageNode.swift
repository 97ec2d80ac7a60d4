/// The start of a page of a tree (`mdb.c`, `MDB_page`).
struct PageHeader {
  let isBranch: Bool
  /// Where the slots end.
  let lower: Int
  /// Where the nodes begin.
  let upper: Int

  var nodeCount: Int { (lower - 16) / 2 }

  /// Nil when the bytes are no page of that number.
  init?(_ page: [UInt8], number: UInt64) {
    let bytes = page.rawSpan
    let flags = bytes.loadLittleEndian16(at: 10)
    lower = Int(bytes.loadLittleEndian16(at: 12))
    upper = Int(bytes.loadLittleEndian16(at: 14))
    isBranch = flags == 0x01
    guard bytes.loadLittleEndian64(at: 0) == number, flags == 0x01 || flags == 0x02, lower >= 16,
      lower % 2 == 0, lower <= upper, upper <= page.count
    else { return nil }
  }
}

/// One node of a page: a separator of a branch or a row of a leaf (`mdb.c`, `MDB_node`).
struct PageNode {
  let offset: Int
  let key: Range<Int>
  /// Where a row's value begins, or the number of the page where it does.
  let data: Int
  let dataByteCount: Int
  let isOverflow: Bool
  let isTable: Bool
  /// Bytes it takes in the page.
  let paddedByteCount: Int

  /// Nil when it does not lie within the page.
  @inline(__always) init?(_ bytes: RawSpan, at offset: Int, _ header: PageHeader) {
    guard offset >= header.upper, offset + 8 <= bytes.byteCount else { return nil }
    self.offset = offset
    let low = Int(bytes.loadLittleEndian16(at: offset))
    let high = Int(bytes.loadLittleEndian16(at: offset + 2))
    let flags = header.isBranch ? 0 : bytes.loadLittleEndian16(at: offset + 4)
    data = offset + 8 + Int(bytes.loadLittleEndian16(at: offset + 6))
    dataByteCount = header.isBranch ? 0 : low | high << 16
    isOverflow = flags & 0x01 != 0
    isTable = flags & 0x02 != 0
    let end = data + (isOverflow ? 8 : dataByteCount)
    // No table here has several values for a key.
    guard flags & ~0x03 == 0, end <= bytes.byteCount, !isTable || dataByteCount == 48 else {
      return nil
    }
    key = offset + 8..<data
    paddedByteCount = (end - offset + 1) & ~1
  }
}

/// What a file says of one of its tables (`mdb.c`, `MDB_db`), 48 bytes.
struct TableRecord: Equatable {
  var flags: UInt16 = 0
  var depth: UInt16 = 0
  var branchPageCount: UInt64 = 0
  var leafPageCount: UInt64 = 0
  var overflowPageCount: UInt64 = 0
  var entryCount: UInt64 = 0
  /// The root's page; all ones when the table is empty.
  var root: UInt64

  static let byteCount = 48
  /// The flag of the list of free pages, whose keys are numbers.
  static let integerKeys: UInt16 = 0x08

  /// An empty table that has a root.
  init(root: UInt64) { self.root = root }

  /// Nil when it does not lie within the bytes.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, offset + Self.byteCount <= bytes.count else { return nil }
    let bytes = bytes.rawSpan
    flags = bytes.loadLittleEndian16(at: offset + 4)
    depth = bytes.loadLittleEndian16(at: offset + 6)
    branchPageCount = bytes.loadLittleEndian64(at: offset + 8)
    leafPageCount = bytes.loadLittleEndian64(at: offset + 16)
    overflowPageCount = bytes.loadLittleEndian64(at: offset + 24)
    entryCount = bytes.loadLittleEndian64(at: offset + 32)
    root = bytes.loadLittleEndian64(at: offset + 40)
  }
}
