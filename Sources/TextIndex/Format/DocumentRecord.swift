internal import LMDB

/// The stored form of a buffered document version, and of one that waits for the end of a build.
///
/// Version 2, item, sequence it begins at, then for a pending one which version of the item it is,
/// `ContentHash` (8 bytes, little-endian) and its distinct terms (count, then byte count and bytes
/// with the space of each), then the body: fields present, 16 where weights follow, title lengths,
/// weights, and per field its length, token count and tokens as varints of term · 4 + step, where
/// step is 0 for the position before it, 1 for the next, 2 for a jump written after it. Weights are
/// their count, and each where it begins · 4 + kind and a float (4 bytes, little-endian). All other
/// numbers are varints. A document that
/// waits for the end of a build has its tokens in the run's postings; here are those of its titles
/// only.
enum DocumentRecord {
  static let version: UInt8 = 2

  /// What stands before the tokens.
  struct Header: Hashable, Sendable {
    var item: UInt32
    var from: UInt64
  }

  /// What a buffered document has behind its header: what the item's entry will say of it.
  struct Version: Hashable, Sendable {
    /// Which version of its item it is, from 1.
    var number: UInt32
    var content: UInt64
  }

  static func writeHeader(_ header: Header, to row: inout ByteWriter) {
    row.append(version)
    row.appendVarint(UInt64(header.item))
    row.appendVarint(header.from)
  }

  static func writeVersion(_ version: Version, to row: inout ByteWriter) {
    row.appendVarint(UInt64(version.number))
    row.appendLittleEndian(version.content)
  }

  /// Writes the distinct terms of a buffered document: those of the vocabulary, all of them.
  static func writeTerms(_ vocabulary: Vocabulary, to row: inout ByteWriter) {
    row.appendVarint(UInt64(vocabulary.count))
    for index in 0..<UInt32(vocabulary.count) {
      let key = vocabulary.keys[index]
      row.appendVarint(UInt64(key.count))
      for byte in key { row.append(byte) }
    }
  }

  /// Writes the tokens, the terms as they are.
  static func writeBody(_ document: DocumentTokens, to row: inout ByteWriter) {
    writeBody(document, document.tokens[...], to: &row)
  }

  /// Writes lengths and titles only, the terms as they are.
  static func writeTitles(_ document: DocumentTokens, to row: inout ByteWriter) {
    writeBody(document, document.titleTokens, to: &row)
  }

  private static func writeBody(
    _ document: DocumentTokens, _ tokens: ArraySlice<DocumentTokens.Token>, to row: inout ByteWriter
  ) {
    var fields: UInt8 = 0
    var counts = SIMD4<UInt32>()
    for token in tokens {
      fields |= 1 << token.kind
      counts[Int(token.kind)] += 1
    }
    for kind in 0..<4 where document.lengths[kind] > 0 { fields |= 1 << UInt8(kind) }
    row.append(document.weights.isEmpty ? fields : fields | hasWeights)
    writeTitleLengths(document.titles, to: &row)
    writeWeights(document.weights, to: &row)
    var index = 0
    for kind in 0..<4 where fields >> UInt8(kind) & 1 == 1 {
      row.appendVarint(UInt64(document.lengths[kind]))
      row.appendVarint(UInt64(counts[kind]))
      writeTokens(tokens[index..<index + Int(counts[kind])], [], to: &row)
      index += Int(counts[kind])
    }
  }

  private static let hasWeights: UInt8 = 16

  /// Writes nothing where there are none.
  static func writeWeights(_ weights: [FieldWeight], to row: inout ByteWriter) {
    guard !weights.isEmpty else { return }
    row.appendVarint(UInt64(weights.count))
    for weight in weights {
      row.appendVarint(UInt64(weight.start) << 2 | UInt64(weight.kind))
      row.appendLittleEndian(weight.weight.bitPattern)
    }
  }

  static func readWeights(_ row: inout ByteReader, into document: inout DocumentTokens)
    throws(CairnError)
  {
    let count = try row.readVarint()
    guard count > 0, count <= UInt64(row.remaining) else { throw damaged }
    for _ in 0..<count {
      let place = try row.readVarint()
      let weight = Float(bitPattern: try row.readLittleEndian32())
      guard place >> 2 < UInt64(UInt32.max), weight > 0, weight.isFinite else { throw damaged }
      document.weights.append(
        FieldWeight(kind: UInt8(place & 3), start: UInt32(place >> 2), weight: weight))
    }
  }

  static func writeTitleLengths(_ titles: [DocumentTokens.Title], to row: inout ByteWriter) {
    row.appendVarint(UInt64(titles.count))
    for title in titles { row.appendVarint(UInt64(title.length)) }
  }

  /// Writes tokens of one field, each term renamed through the table given (empty: as it is).
  static func writeTokens(
    _ tokens: ArraySlice<DocumentTokens.Token>, _ names: [UInt32], to row: inout ByteWriter
  ) {
    var next: UInt32 = 0
    for token in tokens {
      let name = UInt64(names.isEmpty ? token.term : names[Int(token.term)]) << 2
      if token.position == next {
        row.appendVarint(name | 1)
      } else if token.position &+ 1 == next {
        row.appendVarint(name)
      } else {
        row.appendVarint(name | 2)
        row.appendVarint(UInt64(token.position))
      }
      next = token.position + 1
    }
  }

  static func readHeader(_ row: inout ByteReader) throws(CairnError) -> Header {
    guard try row.readUInt8() == version else { throw damaged }
    let item = try row.readVarint()
    let from = try row.readVarint()
    guard item <= UInt64(UInt32.max) else { throw damaged }
    return Header(item: UInt32(item), from: from)
  }

  static func readVersion(_ row: inout ByteReader) throws(CairnError) -> Version {
    let number = try row.readVarint()
    guard number >= 1, number <= UInt64(UInt32.max) else { throw damaged }
    return Version(number: UInt32(number), content: try row.readLittleEndian64())
  }

  /// Reads the distinct terms of a buffered document as (offset, byte count) in the record.
  static func readTerms(_ row: inout ByteReader) throws(CairnError) -> [Range<Int>] {
    let count = try row.readVarint()
    guard count <= UInt64(row.remaining) else { throw damaged }
    var terms: [Range<Int>] = []
    terms.reserveCapacity(Int(count))
    for _ in 0..<count {
      let length = try row.readVarint()
      guard length >= 1, length <= UInt64(row.remaining) else { throw damaged }
      terms.append(row.offset..<row.offset + Int(length))
      _ = try row.readBytes(Int(length))
    }
    return terms
  }

  /// Reads the tokens into a buffer, replacing its content.
  /// - Throws: `.corrupt` when the bytes make no document.
  static func readBody(_ row: inout ByteReader, into document: inout DocumentTokens)
    throws(CairnError)
  {
    document.removeAll()
    let fields = try row.readUInt8()
    guard fields < 2 * hasWeights else { throw damaged }
    try readTitles(&row, into: &document)
    if fields & hasWeights != 0 { try readWeights(&row, into: &document) }
    for kind in 0..<UInt8(4) where fields >> kind & 1 == 1 {
      let length = try row.readVarint()
      let count = try row.readVarint()
      guard length <= UInt64(UInt32.max), count <= UInt64(row.remaining) else { throw damaged }
      document.lengths[Int(kind)] = UInt32(length)
      var next: UInt64 = 0
      for _ in 0..<count { try readToken(&row, kind, &next, into: &document) }
    }
    guard row.isAtEnd else { throw damaged }
  }

  /// Reads a token that comes behind the position before `next`.
  static func readToken(
    _ row: inout ByteReader, _ kind: UInt8, _ next: inout UInt64,
    into document: inout DocumentTokens
  ) throws(CairnError) {
    let head = try row.readVarint()
    var position = next
    switch head & 3 {
    case 0: position = next &- 1
    case 1: break
    case 2: position = try row.readVarint()
    default: throw damaged
    }
    guard head >> 2 <= UInt64(UInt32.max), position < UInt64(UInt32.max) else { throw damaged }
    document.tokens.append(
      DocumentTokens.Token(term: UInt32(head >> 2), position: UInt32(position), kind: kind))
    next = position + 1
  }

  static func readTitles(_ row: inout ByteReader, into document: inout DocumentTokens)
    throws(CairnError)
  {
    let count = try row.readVarint()
    guard count <= UInt64(row.remaining) else { throw damaged }
    var start: UInt64 = 0
    for _ in 0..<count {
      let length = try row.readVarint()
      guard length < UInt64(UInt32.max), start + length < UInt64(UInt32.max) else { throw damaged }
      document.titles.append(DocumentTokens.Title(start: UInt32(start), length: UInt32(length)))
      start += length + UInt64(IndexLimits.valueGap)
    }
  }

  static var damaged: CairnError {
    CairnError(.corrupt, "a document of the text index is damaged; rebuild the text index")
  }
}
