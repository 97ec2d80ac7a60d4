import Files
import Glibc

/// Walks every page that can be reached from a meta page and checks that it is whole.
///
/// Finds what checksums of values cannot: pages outside the file or used twice, rows that overlap
/// or are out of order, separators that lead a search astray, counts that are not those of the
/// pages, free pages that are in use. LMDB checks none of these; it would crash on some, and miss
/// rows for others. Layout from `mdb.c` 0.9 (`MDB_page`, `MDB_node`, `MDB_db`), 64-bit
/// little-endian.
struct PageTree: ~Copyable {
  private let descriptor: CInt
  private let place: String
  let pageByteCount: Int
  private let pageCount: UInt64
  private var isSeen: [Bool]
  private var freed: [UInt64] = []
  private var records: [TableRecord] = []
  private var page: [UInt8]
  /// The nodes of the page at hand that were kept.
  private var nodes: [PageNode] = []
  /// Byte ranges of the file that hold no row and are not all zero; gathered only when asked for.
  private var residues: [Range<Int>] = []
  private let seeksResidues: Bool

  /// A page to visit, with the keys between which all of its own have to lie.
  private struct Branch {
    var number: UInt64
    var depth: Int
    var lower: [UInt8]?
    var upper: [UInt8]?
  }

  /// Checks the trees of `meta`.
  /// - Complexity: O(pages in use), one read of the file each.
  /// - Throws: `.corrupt` naming the first page that is wrong.
  static func check(_ descriptor: CInt, _ meta: MetaPage, place: String) throws(CairnError) {
    var tree = try PageTree(descriptor, meta, place: place, seeksResidues: false)
    try tree.walk(from: meta)
  }

  /// Checks the tree of `meta` that lists the tables, which LMDB walks to open one.
  /// - Complexity: O(tables), and a byte of memory for each page of the file.
  /// - Throws: `.corrupt` naming the first page that is wrong.
  static func checkTables(_ descriptor: CInt, _ meta: MetaPage, place: String) throws(CairnError) {
    var tree = try PageTree(descriptor, meta, place: place, seeksResidues: false)
    try tree.walk(meta.main, isFreeList: false)
  }

  /// Checks that no page which `meta` calls free is in use, without a look at the rows.
  ///
  /// A page in use is met by a search for a key of its own; where it has none, or another number
  /// than its place, it is damaged itself. No table has long values, whose pages have no keys.
  /// - Complexity: O(free pages · tables · log n), some 10 µs for each free page; where they are
  ///   many, as after a purge, O(branch pages), some 3 µs each. A byte of memory for each page.
  /// - Throws: `.corrupt` naming the first page that is wrong.
  static func checkFree(_ descriptor: CInt, _ meta: MetaPage, place: String) throws(CairnError) {
    guard meta.free.root != .max else { return }
    var tree = try PageTree(descriptor, meta, place: place, seeksResidues: false)
    try tree.walk(meta.free, isFreeList: true)
    try tree.walk(meta.main, isFreeList: false)
    let branchPageCount = tree.records.reduce(0) { $0 &+ $1.branchPageCount }
    if tree.freed.count < branchPageCount {
      try tree.searchForFreed()
    } else {
      for record in tree.records { try tree.markPages(of: record) }
    }
    try tree.checkFreed(meta)
  }

  /// The byte ranges that hold no row of the trees of `meta` and are not all zero: what deleted
  /// rows left in free pages, in the gaps of pages in use and behind the ends of long values.
  /// - Complexity: O(bytes of the file).
  /// - Throws: `.corrupt` naming the first page that is wrong.
  static func residues(_ descriptor: CInt, _ meta: MetaPage, place: String) throws(CairnError)
    -> [Range<Int>]
  {
    var tree = try PageTree(descriptor, meta, place: place, seeksResidues: true)
    try tree.walk(from: meta)
    for number in 2..<max(2, tree.pageCount) where !tree.isSeen[Int(number)] {
      try tree.read(number)
      tree.note(0..<tree.pageByteCount, of: number)
    }
    return tree.residues
  }

  private init(_ descriptor: CInt, _ meta: MetaPage, place: String, seeksResidues: Bool)
    throws(CairnError)
  {
    let fileByteCount = try FileStatus(descriptor, place: place).byteCount
    self.seeksResidues = seeksResidues
    self.descriptor = descriptor
    self.place = place
    pageByteCount = meta.pageByteCount
    pageCount = UInt64(fileByteCount / meta.pageByteCount)
    isSeen = Array(repeating: false, count: Int(pageCount))
    page = Array(repeating: 0, count: meta.pageByteCount)
  }

  private mutating func walk(from meta: MetaPage) throws(CairnError) {
    try walk(meta.free, isFreeList: true)
    records.append(meta.main)
    while let record = records.popLast() { try walk(record, isFreeList: false) }
    try checkFreed(meta)
  }

  /// Checks free pages by their numbers.
  private mutating func checkFreed(_ meta: MetaPage) throws(CairnError) {
    for number in freed {
      // Pages that a transaction took and gave back may lie behind the end of the file.
      guard (2...max(2, meta.lastPage)).contains(number) else {
        throw damage(number, "is called free and lies outside the file")
      }
      guard number < pageCount else { continue }
      guard !isSeen[Int(number)] else { throw damage(number, "is in use and called free") }
    }
    freed.sort()
    for (one, next) in zip(freed, freed.dropFirst()) where one == next {
      throw damage(one, "is called free twice")
    }
  }

  /// Marks the pages of a table, of which those with rows are not read.
  private mutating func markPages(of record: TableRecord) throws(CairnError) {
    guard record.root != .max else { return }
    try mark(record.root)
    var waiting = record.depth > 1 ? [(number: record.root, depth: UInt16(1))] : []
    while let (number, depth) = waiting.popLast() {
      let header = try branch(number)
      for index in 0..<header.nodeCount {
        guard let node = node(index, header) else { throw damage(number, "has a damaged row") }
        let child = word64(node.offset) & 0xFFFF_FFFF_FFFF
        try mark(child)
        if depth + 1 < record.depth { waiting.append((child, depth + 1)) }
      }
    }
  }

  /// Reads a branch page.
  private mutating func branch(_ number: UInt64) throws(CairnError) -> PageHeader {
    guard number < pageCount else { throw damage(number, "lies beyond the end of the file") }
    try read(number)
    guard let header = PageHeader(page, number: number), header.isBranch else {
      throw damage(number, "has a damaged header")
    }
    return header
  }

  /// A page that is called free, and a key of its own.
  private typealias Freed = (key: [UInt8], number: UInt64)

  /// Looks in all tables for pages that are called free.
  private mutating func searchForFreed() throws(CairnError) {
    var sought: [Freed] = []
    for number in freed where number < pageCount {
      try read(number)
      guard let header = PageHeader(page, number: number) else { continue }
      // The leftmost separator of a branch page is empty.
      let index = header.isBranch ? 1 : 0
      guard header.nodeCount > index, let node = node(index, header) else { continue }
      sought.append((Array(page[node.key]), number))
    }
    sought.sort { $0.key.rawSpan.lexicographicallyPrecedes($1.key.rawSpan) }
    for record in records where record.root != .max {
      try search(record.root, depth: 1, of: record, for: sought[...])
    }
  }

  private mutating func search(
    _ number: UInt64, depth: UInt16, of record: TableRecord, for sought: ArraySlice<Freed>
  ) throws(CairnError) {
    if sought.contains(where: { $0.number == number }) {
      throw damage(number, "is in use and called free")
    }
    guard depth < record.depth, !sought.isEmpty else { return }
    let header = try branch(number)
    var parts: [(child: UInt64, sought: ArraySlice<Freed>)] = []
    var rest = sought
    while let first = rest.first {
      // The last child whose separator is not behind the key.
      var (child, end) = (0, header.nodeCount)
      while end - child > 1 {
        let middle = (child + end) / 2
        if try precedes(first.key, middle, header, number) { end = middle } else { child = middle }
      }
      var last = rest.startIndex + 1
      while last < rest.endIndex, end < header.nodeCount,
        try precedes(rest[last].key, end, header, number)
      { last += 1 }
      if end == header.nodeCount { last = rest.endIndex }
      guard let node = node(child, header) else { throw damage(number, "has a damaged row") }
      parts.append((word64(node.offset) & 0xFFFF_FFFF_FFFF, rest[..<last]))
      rest = rest[last...]
    }
    for part in parts { try search(part.child, depth: depth + 1, of: record, for: part.sought) }
  }

  /// Whether a key lies before a separator of the branch page at hand.
  private func precedes(_ key: [UInt8], _ index: Int, _ header: PageHeader, _ number: UInt64)
    throws(CairnError) -> Bool
  {
    guard let node = node(index, header) else { throw damage(number, "has a damaged row") }
    return key.rawSpan.lexicographicallyPrecedes(page.rawSpan.extracting(node.key))
  }

  /// A node of the page at hand; nil where it is damaged.
  private func node(_ index: Int, _ header: PageHeader) -> PageNode? {
    let bytes = page.rawSpan
    return PageNode(bytes, at: Int(bytes.loadLittleEndian16(at: 16 + 2 * index)), header)
  }

  /// Visits one table and compares what it has with what its record says.
  private mutating func walk(_ record: TableRecord, isFreeList: Bool) throws(CairnError) {
    var found = TableRecord(root: record.root)
    // The record of the free list also holds flags of the environment (`mm_flags`).
    found.flags = isFreeList ? record.flags | TableRecord.integerKeys : 0
    var waiting: [Branch] = []
    // An empty table has no root.
    if record.root != .max {
      try mark(record.root)
      waiting.append(Branch(number: record.root, depth: 1))
    }
    while let branch = waiting.popLast() {
      try visit(branch, &found, &waiting, isFreeList: isFreeList)
    }
    guard found == record else {
      throw CairnError(
        .corrupt, "a table does not have the pages that its record says",
        place: place)
    }
  }

  private mutating func visit(
    _ branch: Branch, _ found: inout TableRecord, _ waiting: inout [Branch], isFreeList: Bool
  ) throws(CairnError) {
    let number = branch.number
    try read(number)
    guard let header = PageHeader(page, number: number) else {
      throw damage(number, "has a damaged header")
    }
    if seeksResidues { note(header.lower..<header.upper, of: number) }
    try readNodes(header, branch, isFreeList: isFreeList)
    found.depth = max(found.depth, UInt16(truncatingIfNeeded: branch.depth))
    if header.isBranch {
      found.branchPageCount += 1
      try descend(branch, &waiting)
      return
    }
    found.leafPageCount += 1
    found.entryCount += UInt64(header.nodeCount)
    guard branch.depth == Int(found.depth) else { throw damage(number, "lies too high") }
    for node in nodes { try visitRow(node, in: number, &found, isFreeList: isFreeList) }
  }

  /// Reads the nodes of a page, checking that they fill it, in order and within the page's bounds;
  /// keeps those that lead to other pages, and all of the list of free ones.
  private mutating func readNodes(_ header: PageHeader, _ branch: Branch, isFreeList: Bool)
    throws(CairnError)
  {
    let number = branch.number
    nodes.removeAll(keepingCapacity: true)
    // The leftmost separator of a branch page is never looked at.
    let first = header.isBranch ? 1 : 0
    guard header.nodeCount > first else { throw damage(number, "has no row") }
    let page = page
    let bytes = page.rawSpan
    var used = 0
    var last = 0..<0
    for index in 0..<header.nodeCount {
      let offset = Int(bytes.loadLittleEndian16(at: 16 + 2 * index))
      guard let node = PageNode(bytes, at: offset, header) else {
        throw damage(number, "has a damaged row")
      }
      used += node.paddedByteCount
      if index > first {
        guard Self.precedes(last, node.key, bytes, isFreeList) else {
          throw damage(number, "has rows out of order")
        }
      } else if index == first, let lower = branch.lower, !isFreeList {
        guard !bytes.extracting(node.key).lexicographicallyPrecedes(lower.rawSpan) else {
          throw damage(number, "has rows that a search would miss")
        }
      }
      last = node.key
      if header.isBranch || isFreeList || node.isTable || node.isOverflow { nodes.append(node) }
    }
    guard used == pageByteCount - header.upper else {
      throw damage(number, "has rows that overlap or are missing")
    }
    if let upper = branch.upper, !isFreeList {
      guard bytes.extracting(last).lexicographicallyPrecedes(upper.rawSpan) else {
        throw damage(number, "has rows that a search would miss")
      }
    }
  }

  private static func precedes(
    _ one: Range<Int>, _ other: Range<Int>, _ bytes: RawSpan, _ isFreeList: Bool
  ) -> Bool {
    if isFreeList {
      guard one.count == 8, other.count == 8 else { return false }
      return bytes.loadLittleEndian64(at: one.lowerBound)
        < bytes.loadLittleEndian64(at: other.lowerBound)
    }
    if one.count >= 8, other.count >= 8 {
      let head = bytes.loadBigEndian64(at: one.lowerBound)
      let next = bytes.loadBigEndian64(at: other.lowerBound)
      if head != next { return head < next }
    }
    return bytes.extracting(one).lexicographicallyPrecedes(bytes.extracting(other))
  }

  private mutating func descend(_ branch: Branch, _ waiting: inout [Branch]) throws(CairnError) {
    // No tree of pages this size is deeper (`CURSOR_STACK`).
    guard branch.depth < 32 else { throw damage(branch.number, "lies too deep") }
    for (index, node) in nodes.enumerated() {
      let child = word64(node.offset) & 0xFFFF_FFFF_FFFF
      try mark(child)
      waiting.append(
        Branch(
          number: child, depth: branch.depth + 1,
          lower: index == 0 ? branch.lower : Array(page[node.key]),
          upper: index + 1 == nodes.count ? branch.upper : Array(page[nodes[index + 1].key])))
    }
  }

  /// Follows what a leaf row refers to: an overflow run, the tree of a table, or free pages.
  private mutating func visitRow(
    _ node: PageNode, in number: UInt64, _ found: inout TableRecord, isFreeList: Bool
  ) throws(CairnError) {
    if node.isTable {
      guard !isFreeList, let record = TableRecord(page, at: node.data), record.flags == 0 else {
        throw damage(number, "has a damaged table record")
      }
      records.append(record)
      return
    }
    guard node.isOverflow else {
      if isFreeList { try addFreed(page[node.data..<node.data + node.dataByteCount], in: number) }
      return
    }
    let run = word64(node.data)
    let used = UInt64((15 + node.dataByteCount) / pageByteCount + 1)
    let count = try runPageCount(run)
    guard count >= used else { throw damage(run, "has fewer pages than its row needs") }
    for offset in 0..<count { try mark(run &+ offset) }
    found.overflowPageCount += count
    guard isFreeList || seeksResidues else { return }
    let current = page
    defer { page = current }
    if isFreeList { try addFreed(try overflow(run, node.dataByteCount), in: number) }
    guard seeksResidues else { return }
    try read(run + used - 1)
    note((15 + node.dataByteCount) % pageByteCount + 1..<pageByteCount, of: run + used - 1)
    for offset in used..<count {
      try read(run + offset)
      note(0..<pageByteCount, of: run + offset)
    }
  }

  /// How many pages an overflow run has: more than its row needs where a longer one was written
  /// over in the same transaction (`mdb_cursor_put` keeps the run then).
  private func runPageCount(_ run: UInt64) throws(CairnError) -> UInt64 {
    guard run < pageCount else { throw damage(run, "lies beyond the end of the file") }
    var header = [UInt8](repeating: 0, count: 16)
    // SAFETY: fills the buffer, which has the size given.
    let count = unsafe pread(descriptor, &header, 16, Int(run) * pageByteCount)
    guard count == 16 else { throw damage(run, "cannot be read") }
    let bytes = header.rawSpan
    guard bytes.loadLittleEndian64(at: 0) == run, bytes.loadLittleEndian16(at: 10) == 0x04 else {
      throw damage(run, "has a damaged header")
    }
    return UInt64(bytes.loadLittleEndian32(at: 12))
  }

  private mutating func overflow(_ run: UInt64, _ byteCount: Int) throws(CairnError)
    -> ArraySlice<UInt8>
  {
    var bytes: [UInt8] = []
    for offset in 0...UInt64((15 + byteCount) / pageByteCount) {
      try read(run + offset)
      bytes += page
    }
    return bytes[16..<16 + byteCount]
  }

  /// Notes a list of free pages: how many there are, then their numbers.
  private mutating func addFreed(_ list: ArraySlice<UInt8>, in number: UInt64) throws(CairnError) {
    let bytes = Array(list)
    guard bytes.count >= 8, bytes.count % 8 == 0,
      bytes.rawSpan.loadLittleEndian64(at: 0) <= UInt64(bytes.count / 8 - 1)
    else { throw damage(number, "has a damaged list of free pages") }
    for index in 0..<Int(bytes.rawSpan.loadLittleEndian64(at: 0)) {
      freed.append(bytes.rawSpan.loadLittleEndian64(at: 8 + 8 * index))
    }
  }

  private mutating func mark(_ number: UInt64) throws(CairnError) {
    guard number < pageCount else { throw damage(number, "lies beyond the end of the file") }
    guard number >= 2, !isSeen[Int(number)] else { throw damage(number, "is used twice") }
    isSeen[Int(number)] = true
  }

  private mutating func read(_ number: UInt64) throws(CairnError) {
    // SAFETY: fills the page buffer, which has the size given.
    let count = unsafe pread(descriptor, &page, pageByteCount, Int(number) * pageByteCount)
    guard count == pageByteCount else { throw damage(number, "cannot be read") }
  }

  /// Notes a range of the page in the buffer when it is not all zero.
  private mutating func note(_ range: Range<Int>, of number: UInt64) {
    guard !isZero(range) else { return }
    let start = Int(number) * pageByteCount
    residues.append(start + range.lowerBound..<start + range.upperBound)
  }

  private func isZero(_ range: Range<Int>) -> Bool {
    let bytes = page.rawSpan.extracting(range)
    let wide = bytes.byteCount & ~7
    var found: UInt64 = 0
    for offset in stride(from: 0, to: wide, by: 8) { found |= bytes.loadLittleEndian64(at: offset) }
    for offset in wide..<bytes.byteCount { found |= UInt64(bytes.byte(at: offset)) }
    return found == 0
  }

  private func word64(_ offset: Int) -> UInt64 { page.rawSpan.loadLittleEndian64(at: offset) }

  private func damage(_ number: UInt64, _ what: String) -> CairnError {
    CairnError(.corrupt, "page \(number) \(what)", place: place)
  }
}
