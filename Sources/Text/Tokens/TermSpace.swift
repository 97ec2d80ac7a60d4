/// The kind of a term: terms of different spaces never match each other.
///
/// The raw value is stored in front of the term's bytes in the dictionary of the text index.
package enum TermSpace: UInt8, Sendable, Hashable, CaseIterable {
  /// A whole word, folded and unstemmed. Emoji count as words.
  case word = 0
  /// A piece of a word, cut where camel case or letters and digits meet. It stands at the position
  /// of its word and is not matched by exact searches.
  case part = 1
  /// Two neighbouring characters of a script written without spaces, and the last character of
  /// each run alone: n ≥ 2 characters are found as a phrase of pairs, one as a prefix of grams.
  case gram = 2
}
