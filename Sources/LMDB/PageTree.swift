import Glibc

/// Walks every page that can be reached from a meta page and checks that it is whole.
///
/// Finds what checksums of values cannot: pages outside the file, pages that are not what their
/// parent says, and offsets beyond the page. LMDB checks none of these and would crash on them.
/// Layout from `mdb.c` 0.9 (`MDB_page`, `MDB_node`, `MDB_db`), 64-bit little-endian.
struct PageTree: ~Copyable {
  private let descriptor: CInt
  private let place: String
  private let pageByteCount: Int
  private let pageCount: UInt64
  private var isSeen: [Bool]
  private var waiting: [UInt64] = []
  private var page: [UInt8]
  /// Byte ranges of the file that hold no row and are not all zero; gathered only when asked for.
  private var stains: [Range<Int>] = []
  private let seeksStains: Bool

  /// Checks the trees of `meta` in a file of `fileByteCount` bytes.
  /// - Complexity: O(pages in use), one read of the file each.
  /// - Throws: `.corrupt` naming the first page that is wrong.
  static func check(
    _ descriptor: CInt,
    _ meta: MetaPage,
    fileByteCount: Int,
    place: String
  ) throws(StorageError) {
    var tree = PageTree(descriptor, meta, fileByteCount: fileByteCount, place: place)
    try tree.walk(from: meta)
  }

  /// The byte ranges that hold no row of the trees of `meta` and are not all zero: what deleted
  /// rows left in free pages, in the gaps of pages in use and behind the ends of long values.
  ///
  /// - Complexity: O(bytes of the file).
  /// - Throws: `.corrupt` naming the first page that is wrong.
  static func stains(
    _ descriptor: CInt,
    _ meta: MetaPage,
    fileByteCount: Int,
    place: String
  ) throws(StorageError) -> [Range<Int>] {
    var tree = PageTree(
      descriptor,
      meta,
      fileByteCount: fileByteCount,
      place: place,
      seeksStains: true
    )
    try tree.walk(from: meta)
    for number in 2..<max(2, tree.pageCount) where !tree.isSeen[Int(number)] {
      try tree.read(number)
      tree.note(0..<tree.pageByteCount, of: number)
    }
    return tree.stains
  }

  private init(
    _ descriptor: CInt,
    _ meta: MetaPage,
    fileByteCount: Int,
    place: String,
    seeksStains: Bool = false
  ) {
    self.seeksStains = seeksStains
    self.descriptor = descriptor
    self.place = place
    pageByteCount = meta.pageByteCount
    pageCount = UInt64(fileByteCount / meta.pageByteCount)
    isSeen = Array(repeating: false, count: Int(pageCount))
    page = Array(repeating: 0, count: meta.pageByteCount)
  }

  private mutating func walk(from meta: MetaPage) throws(StorageError) {
    try add(root: meta.freeRoot)
    try add(root: meta.mainRoot)
    while let number = waiting.popLast() { try visit(number) }
  }

  private mutating func read(_ number: UInt64) throws(StorageError) {
    // SAFETY: fills the page buffer, which has the size given.
    let count = unsafe pread(descriptor, &page, pageByteCount, Int(number) * pageByteCount)
    guard count == pageByteCount else { throw damage(number, "cannot be read") }
  }

  /// Notes a range of the page in the buffer when it is not all zero.
  private mutating func note(_ range: Range<Int>, of number: UInt64) {
    guard range.contains(where: { page[$0] != 0 }) else { return }
    let start = Int(number) * pageByteCount
    stains.append(start + range.lowerBound..<start + range.upperBound)
  }

  private mutating func add(root: UInt64) throws(StorageError) {
    // An empty table has no root.
    if root != .max { try add(root) }
  }

  private mutating func add(_ number: UInt64) throws(StorageError) {
    try mark(number)
    waiting.append(number)
  }

  private mutating func mark(_ number: UInt64) throws(StorageError) {
    guard number < pageCount else { throw damage(number, "lies beyond the end of the file") }
    guard number >= 2, !isSeen[Int(number)] else { throw damage(number, "is used twice") }
    isSeen[Int(number)] = true
  }

  private mutating func visit(_ number: UInt64) throws(StorageError) {
    try read(number)
    let flags = word16(10)
    let lower = word16(12)
    let upper = word16(14)
    guard word64(0) == number, flags == 0x01 || flags == 0x02, lower >= 16, lower % 2 == 0,
      lower <= upper, upper <= pageByteCount
    else { throw damage(number, "has a damaged header") }
    if seeksStains { note(lower..<upper, of: number) }
    for slot in stride(from: 16, to: lower, by: 2) {
      let node = word16(slot)
      guard node >= upper,
        node + 8 + (node + 8 <= pageByteCount ? word16(node + 6) : 0)
          <= pageByteCount
      else { throw damage(number, "has a damaged row") }
      if flags == 0x01 {
        try add(word48(node))
      } else {
        try visitRow(at: node, in: number)
      }
    }
  }

  /// Follows what a leaf row refers to: an overflow run or the tree of a table.
  private mutating func visitRow(at node: Int, in number: UInt64) throws(StorageError) {
    let byteCount = word16(node) | word16(node + 2) << 16
    let flags = word16(node + 4)
    let data = node + 8 + word16(node + 6)
    let isOverflow = flags & 0x01 != 0
    guard data + (isOverflow ? 8 : byteCount) <= pageByteCount else {
      throw damage(number, "has a damaged row")
    }
    if isOverflow {
      let run = word64(data)
      let last = UInt64((15 + byteCount) / pageByteCount)
      for offset in 0...last { try mark(run &+ offset) }
      if seeksStains { try noteTail(of: run &+ last, used: (15 + byteCount) % pageByteCount + 1) }
    } else if flags & 0x02 != 0 {
      guard byteCount == 48 else { throw damage(number, "has a damaged table record") }
      try add(root: word64(data + 40))
    }
  }

  /// Notes what is behind the end of a long value on its last page.
  private mutating func noteTail(of number: UInt64, used: Int) throws(StorageError) {
    let current = page
    try read(number)
    note(used..<pageByteCount, of: number)
    page = current
  }

  private func word16(_ offset: Int) -> Int { Int(page.rawSpan.loadLittleEndian16(at: offset)) }

  private func word64(_ offset: Int) -> UInt64 { page.rawSpan.loadLittleEndian64(at: offset) }

  /// A child's page number, spread over the size and flag fields of a branch row.
  private func word48(_ offset: Int) -> UInt64 { word64(offset) & 0xFFFF_FFFF_FFFF }

  private func damage(_ number: UInt64, _ what: String) -> StorageError {
    StorageError(
      .corrupt,
      "page \(number) \(what). Restore the file from a copy, or rebuild it when it is a view.",
      place: place
    )
  }
}
