/// One term found in a text; its folded bytes are `byteRange` of the buffer it came from.
package struct Token: Sendable, Hashable {
  /// Where the folded bytes begin in `TokenBuffer.bytes`.
  package var byteStart: UInt32
  /// How many folded bytes; at most `TextLimits.termByteCount`.
  package var byteCount: UInt16
  package var space: TermSpace
  /// Where it stands in a run or word.
  package var traits: Traits
  /// Neighbouring words have neighbouring positions.
  ///
  /// Each character of an unspaced run takes one. Parts share the position of their word, emoji
  /// the one of the word after them.
  package var position: UInt32
  /// First byte of the source text that the token stands for.
  package var sourceStart: UInt32
  /// First byte of the source text after the token.
  package var sourceEnd: UInt32

  /// Where a token stands in its run.
  package struct Traits: OptionSet, Sendable, Hashable {
    /// The bits, one per trait.
    package var rawValue: UInt8

    /// Creates traits from their bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A word boundary is before the token; only grams inside a word lack it.
    package static let startsWord = Traits(rawValue: 1)
    /// First of a run of an unspaced script.
    package static let startsRun = Traits(rawValue: 2)
    /// The last character of a run, alone.
    package static let endsRun = Traits(rawValue: 4)
    /// A word that a dictionary found in a run, which the run's grams cover too.
    package static let dictionary = Traits(rawValue: 8)
    /// A whole word in other letters, `lodz` for `łodz`; its space is `part`.
    package static let variant = Traits(rawValue: 16)
  }

  /// The folded bytes inside `TokenBuffer.bytes`.
  package var byteRange: Range<Int> { Int(byteStart)..<Int(byteStart) + Int(byteCount) }

  /// The bytes of the source text, for highlighting.
  package var sourceRange: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
}
