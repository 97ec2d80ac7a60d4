/// Identity of a document's tokens, whatever numbers its terms have and wherever it is stored.
enum ContentHash {
  /// A sum over tokens, so that their order does not matter, and over lengths.
  static func hash(_ document: DocumentTokens, _ vocabulary: Vocabulary) -> UInt64 {
    hash(document) { vocabulary.hashes[Int($0)] }
  }

  /// The same with another way from term numbers to `Vocabulary.hash`.
  static func hash(_ document: DocumentTokens, termHash: (UInt32) -> UInt64) -> UInt64 {
    var sum = frame(document)
    for token in document.tokens { sum &+= hash(token, termHash(token.term)) }
    return sum
  }

  /// What one token adds; `term` is its `Vocabulary.hash`.
  @inline(__always) static func hash(_ token: DocumentTokens.Token, _ term: UInt64) -> UInt64 {
    mix(term, UInt64(token.position) << 2 | UInt64(token.kind))
  }

  /// What lengths, titles and weights add.
  static func frame(_ document: DocumentTokens) -> UInt64 {
    var sum: UInt64 = 0
    for kind in 0..<4 {
      sum &+= mix(UInt64(kind) &+ 0x6C65_6E67_7468, UInt64(document.lengths[kind]))
    }
    for title in document.titles {
      sum &+= mix(UInt64(title.start) &+ 0x7469_746C_6500_0000, UInt64(title.length))
    }
    for weight in document.weights {
      let place = UInt64(weight.start) << 2 | UInt64(weight.kind)
      sum &+= mix(place &+ 0x7765_6967_6874_0000, UInt64(weight.weight.bitPattern))
    }
    return sum
  }

  private static func mix(_ one: UInt64, _ two: UInt64) -> UInt64 {
    var hash = one ^ (two &* 0x9E37_79B9_7F4A_7C15)
    hash ^= hash &>> 30
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    hash ^= hash &>> 27
    hash = hash &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash &>> 31)
  }
}
