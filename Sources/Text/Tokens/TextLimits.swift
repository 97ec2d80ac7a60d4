/// Every limit of text analysis, with its reason.
package enum TextLimits {
  /// Longest term in bytes.
  ///
  /// A dictionary key (1 byte of space in front) must fit LMDB's 511 and leave room for a suffix.
  /// Longer words keep their beginning and end in a hash.
  package static let termByteCount = 255

  /// Bytes of a cut word's hash: 16 hexadecimal digits of 64 bits.
  static let termHashByteCount = 16

  /// Bytes from which a term may be a cut word, which nobody wrote: a cut goes back up to three
  /// bytes, so as not to part a character.
  package static let cutTermByteCountMin = termByteCount - 3

  /// Scalars that are folded or looked up in a dictionary together.
  ///
  /// A letter has a few marks and a Thai sentence some hundred characters; more is an attack on
  /// memory, ICU's buffers being up to 36 times as long, and stays as it is.
  static let segmentScalarCount = 1 << 20

  /// Bytes of a query that are read; more is a paste, not a question.
  package static let queryByteCount = 16_384

  /// Terms taken from one query, so that a pasted page cannot cost a scan per word.
  package static let queryTermCount = 256

  /// Fewest letters of a root by which a family of words is looked for: with one, every word of an
  /// initial would be looked at.
  static let stemRootLetterCount = 2

  /// Longest pattern in code points that is compared with typing errors in mind.
  package static let typoScalarCount = 64
}
