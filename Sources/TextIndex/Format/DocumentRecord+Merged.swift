internal import LMDB

/// The stored form of a merged document, whose tokens are in the postings: lengths and titles.
///
/// A byte of which kinds have a length, 16 where titles are listed, 32 where weights are; then,
/// listed, titles' count and lengths, as else there is one title of the whole length, if any;
/// weights as in a buffered document; the lengths, one a kind; and to the end the tokens of the
/// titles as in a buffered document. Its `DocumentBlock` knows its number, the sequence it is from
/// and where it ends.
extension DocumentRecord {
  private static let listsTitles: UInt8 = 16
  private static let listsWeights: UInt8 = 32

  /// Writes lengths and titles, each term renamed through the table given.
  static func writeMerged(_ document: DocumentTokens, names: [UInt32], to row: inout ByteWriter) {
    let lengths = document.lengths
    var head: UInt8 = 0
    for kind in 0..<4 where lengths[kind] > 0 { head |= 1 << UInt8(kind) }
    let isListed = !isSole(document.titles, lengths)
    if isListed { head |= listsTitles }
    if !document.weights.isEmpty { head |= listsWeights }
    row.append(head)
    if isListed { writeTitleLengths(document.titles, to: &row) }
    writeWeights(document.weights, to: &row)
    for kind in 0..<4 where lengths[kind] > 0 { row.appendVarint(UInt64(lengths[kind])) }
    writeTokens(document.titleTokens, names, to: &row)
  }

  /// Whether there is one title of the whole length, or none where there is no length.
  private static func isSole(_ titles: [DocumentTokens.Title], _ lengths: SIMD4<UInt32>) -> Bool {
    guard lengths[0] > 0 else { return titles.isEmpty }
    return titles.count == 1 && titles[0].start == 0 && titles[0].length == lengths[0]
  }

  /// Reads lengths and titles into a buffer, replacing its content.
  /// - Throws: `.corrupt` when the bytes make no document.
  static func readMerged(_ bytes: borrowing RawSpan, into document: inout DocumentTokens)
    throws(CairnError)
  {
    document.removeAll()
    var row = ByteReader(copy bytes)
    let head = try row.readUInt8()
    guard head < 2 * listsWeights else { throw damaged }
    if head & listsTitles != 0 { try readTitles(&row, into: &document) }
    if head & listsWeights != 0 { try readWeights(&row, into: &document) }
    for kind in 0..<4 where head >> UInt8(kind) & 1 == 1 {
      let length = try row.readVarint()
      guard length > 0, length <= UInt64(UInt32.max) else { throw damaged }
      document.lengths[kind] = UInt32(length)
    }
    if head & listsTitles == 0, document.lengths[0] > 0 {
      document.titles.append(DocumentTokens.Title(start: 0, length: document.lengths[0]))
    }
    var next: UInt64 = 0
    while !row.isAtEnd { try readToken(&row, 0, &next, into: &document) }
  }
}
