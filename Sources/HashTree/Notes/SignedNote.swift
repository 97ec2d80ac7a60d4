/// A text with the signatures of those who stand by it.
///
/// Source: C2SP signed-note. Reading a note checks its form only; nothing in the text is to be
/// believed before ``verified(by:)``.
package struct SignedNote: Hashable, Sendable {
  /// One signature line.
  package struct Signature: Hashable, Sendable {
    /// Whose key made it.
    package var name: String
    /// Which of the keys of that name.
    package var keyID: UInt32
    /// The signature itself, without the key id.
    package var bytes: [UInt8]

    /// A signature line as received.
    package init(name: String, keyID: UInt32, bytes: [UInt8]) {
      self.name = name
      self.keyID = keyID
      self.bytes = bytes
    }

    /// The line, with its final line feed.
    package var line: String {
      var blob: [UInt8] = []
      blob.appendBigEndian(keyID)
      return "\u{2014} \(name) \(Base64.encode(blob + bytes))\n"
    }
  }

  /// A signature that was checked.
  package struct VerifiedSignature: Hashable, Sendable {
    package var key: VerifierKey
    /// When a witness made it, in seconds since 1970; `nil` for a signature without a time.
    package var time: UInt64?
  }

  /// What is signed, with its final line feed.
  package let text: String
  /// Who signed, known or not, in the order of the lines.
  package private(set) var signatures: [Signature]
}

extension SignedNote {
  /// A text not signed by anybody yet.
  /// - Throws: `CairnError` `.malformed` when the text does not end in a line feed or holds
  ///   another control character.
  package init(text: String) throws(CairnError) {
    guard text.utf8.last == 0x0A, SignedNote.isPlain(text.utf8) else {
      throw CairnError(
        .malformed, "a note's text ends in a line feed and holds no other control character")
    }
    self.text = text
    signatures = []
  }

  /// The note as it is sent and stored: text, empty line, signature lines.
  package var encoded: String { text + "\n" + signatures.map(\.line).joined() }

  /// Adds a signature; one of the same key that is there already gives way to it.
  ///
  /// Cosignatures alone have a time, in seconds since 1970.
  /// - Throws: `CairnError` `.notVerified` when the key cannot sign.
  package mutating func sign(with key: SignerKey, time: UInt64 = 0) throws(CairnError) {
    let signature = try key.sign(text, time: time)
    signatures.removeAll { key.verifier.isKey(of: $0) }
    signatures.append(signature)
  }

  /// The signatures of known keys, each checked, at most one a key.
  /// - Throws: `CairnError` `.notVerified` when one of a known key does not belong to the text,
  ///   `.notVerified` when there is none of a known key, `.badArgument` when two known keys
  ///   share a name and an id that the note uses.
  package func verified(by keys: [VerifierKey]) throws(CairnError) -> [VerifiedSignature] {
    var result: [VerifiedSignature] = []
    for signature in signatures {
      let candidates = keys.filter { $0.isKey(of: signature) }
      guard let key = candidates.first else { continue }
      guard candidates.count == 1 else {
        throw CairnError(.badArgument, "two of the known keys have the same name and id")
      }
      guard key.verify(signature.bytes, of: text) else {
        throw CairnError(.notVerified, "a signature of a known key does not belong to the note")
      }
      guard !result.contains(where: { $0.key.isKey(of: signature) }) else { continue }
      let isTimed = key.algorithm == .cosignature
      let time = isTimed ? Cosignature.time(of: signature.bytes) : nil
      result.append(VerifiedSignature(key: key, time: time))
    }
    guard !result.isEmpty else {
      throw CairnError(.notVerified, "no known key has signed the note")
    }
    return result
  }

  /// The note with the signatures of these keys alone, as they came.
  package func keeping(signaturesOf keys: [VerifierKey]) -> SignedNote {
    SignedNote(
      text: text,
      signatures: signatures.filter { signature in keys.contains { $0.isKey(of: signature) } })
  }

  static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A }
  }
}
