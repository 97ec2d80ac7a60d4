import Foundation
import HashTree
import TestSupport
import Testing

@Suite struct `Signed notes` {
  // The keys, text and signatures of golang.org/x/mod/sumdb/note.
  static let peterKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
  static let enochKey = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
  static let text = """
    If you think cryptography is the answer to your problem,
    then you don't know what your problem is.

    """
  static let peter =
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
  static let enoch =
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"

  private func names(_ note: SignedNote, _ keys: String...) throws -> [String] {
    try note.verified(by: keys.map { try VerifierKey($0) }).map(\.key.name)
  }

  @Test func `a note of x mod verifies by the key that signed it`() throws {
    let note = try SignedNote(encoded: Self.text + "\n" + Self.peter + Self.enoch)
    #expect(note.text == Self.text)
    #expect(note.signatures.map(\.name) == ["PeterNeumann", "EnochRoot"])
    #expect(try names(note, Self.peterKey) == ["PeterNeumann"])
    #expect(try names(note, Self.peterKey, Self.enochKey) == ["PeterNeumann", "EnochRoot"])
    #expect(note.encoded == Self.text + "\n" + Self.peter + Self.enoch)
  }

  @Test(.enabled(if: MerkleVectors.isPresent, "../shared/data is absent"))
  func `the example of C2SP verifies`() throws {
    let key = try MerkleVectors.text("signed-note-example.vkey").trimmingCharacters(in: .newlines)
    let note = try SignedNote(encoded: try MerkleVectors.bytes("signed-note-example.txt"))
    #expect(try names(note, key) == ["example.com/foo"])
    #expect(try VerifierKey(key).text == key)
    #expect(note.text == "This is an example message.\n")
  }

  static let malformed: [String] = [
    "", "\n", "\n\n", text, "\(text)\n", "\(text)\n\(peter.dropLast())", "\u{1}\(text)\n\(peter)",
    "\(text)\r\n\n\(peter)", "\(text)\n— Bad Name \(peter.dropFirst(15))",
    "\(text)\n\(peter)Unexpected line.\n", "\(text)\n\(peter)\n", "\(text)\(peter)",
    "\(text)\n— a+b x08goxxx\n", "\(text)\n— a x08g\n", "\(text)\n— a \n", "\(text)\n— a\n",
    "\(text)\n—  x08goxxx\n", "\(text)\n- a x08goxxx\n", "\(text)\n— a\u{2003}b x08goxxx\n",
    "\n\(peter)", "\(text)\n\(String(repeating: peter, count: 101))",
  ]

  @Test(arguments: malformed) func `a malformed note is refused`(encoded: String) {
    expectError(.malformed) { try SignedNote(encoded: encoded) }
  }

  @Test func `a note that is not UTF-8 or above the size limit is refused`() {
    let tail = Array(("\n" + Self.peter).utf8)
    expectError(.malformed) {
      try SignedNote(encoded: [0x61, 0xFF, 0x0A] + tail)
    }
    expectError(.malformed) {
      try SignedNote(encoded: [UInt8](repeating: 0x61, count: 1 << 20) + [0x0A] + tail)
    }
  }

  @Test func `the last empty line parts the text from the signatures`() throws {
    let key = try SignerKey(name: "k", seed: [UInt8](repeating: 3, count: 32))
    var note = try SignedNote(text: "a\n\nb\n\n\n")
    try note.sign(with: key)
    let read = try SignedNote(encoded: note.encoded)
    #expect(read.text == "a\n\nb\n\n\n")
    #expect(try read.verified(by: [key.verifier]).count == 1)
  }

  @Test func `sixteen signatures of five kilobytes are read`() throws {
    let lines = (0..<16).map {
      SignedNote.Signature(name: "k\($0)", keyID: 7, bytes: [UInt8](repeating: 1, count: 5000)).line
    }
    let note = try SignedNote(encoded: Self.text + "\n" + lines.joined())
    #expect(note.signatures.count == 16)
  }

  @Test func `a note that no known key signed is refused`() throws {
    let note = try SignedNote(encoded: Self.text + "\n" + Self.enoch)
    expectError(.notVerified) { try note.verified(by: []) }
    expectError(.notVerified) { try names(note, Self.peterKey) }
  }

  @Test func `one bad signature of a known key spoils the note`() throws {
    let peter = try VerifierKey(Self.peterKey)
    let other = try SignerKey(name: "other", seed: [UInt8](repeating: 9, count: 32))
    let forged = SignedNote.Signature(
      name: peter.name, keyID: peter.id, bytes: [UInt8](repeating: 0, count: 64))
    var note = try SignedNote(encoded: Self.text + "\n" + forged.line)
    try note.sign(with: other)
    expectError(.notVerified) {
      try note.verified(by: [other.verifier, peter])
    }
    #expect(try note.verified(by: [other.verifier]).count == 1)
    let tampered = try SignedNote(encoded: "x" + Self.text + "\n" + Self.peter)
    expectError(.notVerified) { try tampered.verified(by: [peter]) }
  }

  @Test func `a known name with another id, or a known id under another name, is unknown`() throws {
    let peter = try VerifierKey(Self.peterKey)
    for (name, id) in [(peter.name, peter.id ^ 1), ("Peter", peter.id)] {
      let line = SignedNote.Signature(
        name: name, keyID: id, bytes: [UInt8](repeating: 0, count: 64)
      ).line
      let note = try SignedNote(encoded: Self.text + "\n" + line)
      expectError(.notVerified) { try note.verified(by: [peter]) }
    }
  }

  @Test func `two equal keys on the known list are ambiguous once the note uses them`() throws {
    let note = try SignedNote(encoded: Self.text + "\n" + Self.peter)
    expectError(.badArgument) { try names(note, Self.peterKey, Self.peterKey) }
    #expect(try names(note, Self.peterKey, Self.enochKey, Self.enochKey) == ["PeterNeumann"])
  }

  @Test func `signing anew replaces one's own signature and keeps the others`() throws {
    let key = try SignerKey(name: "k", seed: [UInt8](repeating: 3, count: 32))
    var note = try SignedNote(encoded: Self.text + "\n" + Self.peter)
    try note.sign(with: key)
    try note.sign(with: key)
    #expect(note.signatures.map(\.name) == ["PeterNeumann", "k"])
    #expect(try note.verified(by: [key.verifier, VerifierKey(Self.peterKey)]).count == 2)
  }

  @Test func `a text without a final line feed or with a control character is not signed`() {
    for text in ["", "a", "a\tb\n", "a\r\n", "a\u{0}\n"] {
      expectError(.malformed) { try SignedNote(text: text) }
    }
  }
}
