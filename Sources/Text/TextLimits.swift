/// Every limit of text analysis, with its reason.
package enum TextLimits {
  /// Longest term in bytes.
  ///
  /// A dictionary key (1 byte of space in front) must fit LMDB's 511 and leave room for a suffix. Longer words keep their beginning and end in a hash.
  package static let termByteCount = 255

  /// Bytes of a cut word's hash: 16 hexadecimal digits of 64 bits.
  static let termHashByteCount = 16

  /// Bytes of a query that are read; more is a paste, not a question.
  package static let queryByteCount = 16_384

  /// Terms taken from one query, so that a pasted page cannot cost a scan per word.
  package static let queryTermCount = 256

  /// Longest pattern in code points that is compared with typing errors in mind.
  package static let typoScalarCount = 64
}
