/// The terms of one text in flat arrays, to be reused for text after text.
///
/// Nothing is allocated per token. The buffer also owns what non-ASCII text needs (conversion
/// buffers, the ICU dictionary iterator), all created on first need.
package struct TokenBuffer: ~Copyable {
  /// Tokens in order of their source; parts follow their word.
  package internal(set) var tokens: [Token] = []

  /// Folded bytes of all tokens, one after the other.
  package internal(set) var bytes: [UInt8] = []

  /// Positions used: the length of the text in words, and in characters of unspaced scripts.
  ///
  /// A trailing emoji stands at this position, every other token below it.
  package internal(set) var positionCount: UInt32 = 0

  var characters: CharacterTable?

  /// Creates an empty buffer that has allocated nothing yet.
  package init() {}

  /// How many tokens there are.
  package var count: Int { tokens.count }

  /// The folded bytes of a token, copied.
  package func term(_ token: Token) -> [UInt8] { Array(bytes[token.byteRange]) }

  /// Forgets the tokens and keeps the storage.
  package mutating func removeAll() {
    tokens.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    positionCount = 0
  }
}
