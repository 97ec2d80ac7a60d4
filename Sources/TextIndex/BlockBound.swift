/// What no posting of a block exceeds; read before the block is decoded.
struct BlockBound: Hashable, Sendable {
  /// Last document of the block.
  var lastDocument: UInt32
  /// Greatest frequency per field, one byte each, 255 meaning that or more.
  var frequencies: UInt32
  /// Least coded length per field among the documents that have the term in that field.
  var lengths: UInt32
  /// Best place in a title.
  var place: UInt8

  /// The bound of no posting.
  static let empty = BlockBound(lastDocument: 0, frequencies: 0, lengths: .max, place: 0)

  /// Takes a posting in.
  mutating func include(_ posting: Posting, _ fieldLengths: FieldLengths) {
    lastDocument = posting.document
    place = max(place, posting.occurrence.place)
    for kind in 0..<4 {
      let frequency = posting.occurrence.frequency(kind)
      guard frequency > 0 else { continue }
      let shift = UInt32(8 * kind)
      let known = frequencies >> shift & 0xFF
      frequencies =
        frequencies & ~(0xFF << shift) | max(known, UInt32(min(frequency, 255))) << shift
      let length = min(lengths >> shift & 0xFF, UInt32(fieldLengths[kind]))
      lengths = lengths & ~(0xFF << shift) | length << shift
    }
  }

  /// The greatest occurrence the bound allows.
  var greatest: Occurrence {
    func frequency(_ kind: Int) -> UInt64 {
      let coded = UInt64(frequencies >> UInt32(8 * kind) & 0xFF)
      return coded == 255 ? .max : coded
    }
    return Occurrence(
      place: TitlePlace(rawValue: place) ?? .none,
      title: frequency(0),
      keywords: frequency(1),
      description: frequency(2),
      text: frequency(3)
    )
  }
}
