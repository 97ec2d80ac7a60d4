/// The terms of one text in flat arrays, to be reused for text after text.
///
/// Nothing is allocated per token. The buffer also owns what non-ASCII text needs (what ICU said
/// about each character so far, the dictionary of Thai), all created on first need, so that it
/// belongs to one thread at a time.
package struct TokenBuffer: ~Copyable {
  /// Tokens in order of their source; parts follow their word.
  package internal(set) var tokens: [Token] = []

  /// Folded bytes of all tokens.
  ///
  /// What no range of a token covers means nothing.
  package internal(set) var bytes: [UInt8] = []

  /// Positions used: the length of the text in words, and in characters of unspaced scripts.
  ///
  /// A trailing emoji stands at this position, every other token below it.
  package internal(set) var positionCount: UInt32 = 0

  /// How many of the bytes are in use; the rest waits.
  var byteCount = 0
  var characters = CharacterTable()
  var run = CharacterRun()
  var words: WordBreaker?
  var wordStarts: [Int] = []

  /// Creates an empty buffer that has allocated nothing yet.
  package init() {}

  /// The folded bytes of a token, copied.
  package func term(_ token: Token) -> [UInt8] { Array(bytes[token.byteRange]) }

  /// Forgets the tokens and keeps the storage.
  package mutating func removeAll() {
    tokens.removeAll(keepingCapacity: true)
    byteCount = 0
    positionCount = 0
  }

  /// Makes room for more folded bytes.
  mutating func reserve(_ count: Int) {
    let missing = byteCount + count - bytes.count
    guard missing > 0 else { return }
    bytes.append(contentsOf: repeatElement(0, count: max(missing, bytes.count)))
  }
}
