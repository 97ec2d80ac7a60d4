/// What a log says about itself at one moment: who it is, how large it is, and the root hash.
///
/// Source: C2SP tlog-checkpoint. The log never signs two checkpoints of which neither is the
/// start of the other.
package struct Checkpoint: Hashable, Sendable {
  /// The log's name for itself; also the name of its key.
  package let origin: String
  /// How many leaves the tree has.
  package let size: UInt64
  package let root: Hash32
  /// Further lines, without line feeds.
  ///
  /// We write none: no monitor can audit them.
  package let extensions: [String]

  /// The checkpoint of a tree.
  /// - Throws: `CairnError` `.malformed` when the origin or an extension is empty or
  ///   holds a control character.
  package init(origin: String, size: UInt64, root: Hash32, extensions: [String] = [])
    throws(CairnError)
  {
    guard ([origin] + extensions).allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 >= 0x20 } })
    else {
      throw CairnError(
        .malformed, "a checkpoint's lines are not empty and hold no control character")
    }
    self.origin = origin
    self.size = size
    self.root = root
    self.extensions = extensions
  }

  /// Reads the text of a checkpoint's note.
  /// - Throws: `CairnError` `.malformed`.
  package init(text: String) throws(CairnError) {
    let lines = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count >= 4, lines.last?.isEmpty == true, let size = Decimal.parse(lines[1]),
      let root = Base64.decode(lines[2]).flatMap({ Hash32(bytes: $0) })
    else { throw CairnError(.malformed, "a checkpoint is an origin, a size and a root hash") }
    try self.init(
      origin: String(decoding: lines[0], as: UTF8.self), size: size, root: root,
      extensions: lines[3..<(lines.count - 1)].map { String(decoding: $0, as: UTF8.self) })
  }

  /// The text that is signed, with its final line feed.
  package var text: String {
    ([origin, String(size), root.base64] + extensions).map { $0 + "\n" }.joined()
  }

  /// The checkpoint as a note with these signatures.
  /// - Throws: `CairnError` when a key cannot sign.
  package func signed(by keys: [SignerKey], time: UInt64 = 0) throws(CairnError) -> SignedNote {
    var note = try SignedNote(text: text)
    for key in keys { try note.sign(with: key, time: time) }
    return note
  }

  /// The checkpoint of a log in a note that one of its keys must have signed.
  /// - Throws: `CairnError`: the signatures' faults, `.malformed`, `.notVerified`.
  package init(verifying note: SignedNote, origin: String, logKeys: [VerifierKey])
    throws(CairnError)
  {
    _ = try note.verified(by: logKeys)
    try self.init(text: note.text)
    guard KeyName.areSame(self.origin, origin) else {
      throw CairnError(.notVerified, "the checkpoint is of another log")
    }
  }
}
