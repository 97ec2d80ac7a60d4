import HashTree
import TestSupport
import Testing

@Suite struct `Keys` {
  static let vkey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"

  @Test func `a verifier key reads back as written`() throws {
    let key = try VerifierKey(Self.vkey)
    #expect(key.name == "example.com/foo")
    #expect(key.id == 0x530d_903a)
    #expect(key.algorithm == .ed25519)
    #expect(key.text == Self.vkey)
  }

  @Test(arguments: [
    ("", CairnError.Code.badArgument), ("example.com/foo", .badArgument),
    ("example.com/foo+530d903a", .badArgument), ("example.com/foo+530d903a+", .badArgument),
    ("+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/foo+530d903+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/foo++30d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U0=", .badArgument),
    ("example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
    ("example.com/foo+530d903a+BukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", .badArgument),
  ]) func `a verifier key that is not exactly right is refused`(text: String, code: CairnError.Code)
  { expectError(code) { try VerifierKey(text) } }

  @Test(arguments: [SignatureAlgorithm.ed25519, .cosignature])
  func `a private key reads back and signs what its public half verifies`(
    algorithm: SignatureAlgorithm
  ) throws {
    let key = try SignerKey(randomFor: "cairn.example/a", algorithm: algorithm)
    let again = try SignerKey(key.privateText)
    #expect(again.verifier == key.verifier)
    #expect(again.privateText == key.privateText)
    let signature = try again.sign("text\n", time: 1_679_315_147)
    #expect(key.verifier.verify(signature.bytes, of: "text\n"))
    #expect(!key.verifier.verify(signature.bytes, of: "other\n"))
    for bit in 0..<signature.bytes.count * 8 {
      var forged = signature.bytes
      forged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!key.verifier.verify(forged, of: "text\n"))
    }
  }

  @Test func `signing is the Ed25519 of RFC 8032, test 1`() throws {
    let seed = Base64.decode("nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=") ?? []
    let key = try SignerKey(name: "rfc8032", seed: seed)
    #expect(Base64.encode(key.verifier.publicKey) == "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    #expect(
      Base64.encode(try key.sign("").bytes) == "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVf"
        + "uIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==")
  }

  @Test func `a signer never shows its private half by itself`() throws {
    let key = try SignerKey(name: "k", seed: [UInt8](repeating: 1, count: 32))
    #expect("\(key)" == key.verifier.text)
    #expect(String(reflecting: key) == key.verifier.text)
  }

  @Test(arguments: ["", "a b", "a+b", "a\tb", "a\u{00A0}b", "a\u{3000}", "a\nb"])
  func `a name that could break a signature line is refused`(name: String) {
    expectError(.badArgument) { try SignerKey(randomFor: name) }
  }

  @Test func `canonically equivalent names are two names`() throws {
    let seed = [UInt8](repeating: 5, count: 32)
    let composed = try SignerKey(name: "caf\u{E9}", seed: seed)
    let decomposed = try SignerKey(name: "cafe\u{301}", seed: seed)
    var note = try SignedNote(text: "text\n")
    try note.sign(with: composed)
    #expect(composed.verifier.id != decomposed.verifier.id)
    expectError(.notVerified) {
      try note.verified(by: [decomposed.verifier])
    }
  }
}
