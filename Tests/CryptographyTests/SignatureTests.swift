import Cryptography
import TestSupport
import Testing
import Values

@Suite struct `Signatures` {
  /// RFC 8032 §7.1, tests 1 to 3.
  @Test(arguments: [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9"
        + "b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f1"
        + "1d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984d"
        + "c6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ]) func `Ed25519 is the standard's`(seed: String, key: String, message: String, signature: String)
    throws
  {
    let seed = try #require(Hexadecimal.bytes(seed))
    let pair = try #require(Ed25519Key(seed: seed))
    let bytes = try #require(Hexadecimal.bytes(message))
    #expect(Hexadecimal.text(pair.publicKey) == key)
    let signed = try #require(pair.signature(of: bytes))
    #expect(Hexadecimal.text(signed) == signature)
    #expect(Ed25519Key.verify(signed, of: bytes, publicKey: pair.publicKey))
  }

  @Test func `another message, signature or key is refused`() throws {
    var random = SeededGenerator(seed: 12)
    let pair = try #require(Ed25519Key())
    let message = random.bytes(200)
    let signature = try #require(pair.signature(of: message))
    for _ in 0..<100 {
      #expect(!Ed25519Key.verify(signature, of: flipped(message), publicKey: pair.publicKey))
      #expect(!Ed25519Key.verify(flipped(signature), of: message, publicKey: pair.publicKey))
      #expect(!Ed25519Key.verify(signature, of: message, publicKey: flipped(pair.publicKey)))
    }
    #expect(Ed25519Key.verify(signature, of: message, publicKey: pair.publicKey))

    func flipped(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      let place = Int.random(in: bytes.indices, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return bytes
    }
  }

  @Test(arguments: [0, 1, 31, 33, 64]) func `only 32 bytes are a key`(count: Int) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    #expect(Ed25519Key(seed: bytes) == nil)
    #expect(!Ed25519Key.verify([UInt8](repeating: 1, count: 64), of: [], publicKey: bytes))
    let pair = try #require(Ed25519Key())
    #expect(!Ed25519Key.verify(bytes, of: [], publicKey: pair.publicKey))
  }

  /// A signature with the group's order added to its second half (RFC 8032 §5.1.7 refuses it).
  @Test func `a signature has one form`() throws {
    let pair = try #require(Ed25519Key())
    var signature = try #require(pair.signature(of: [1, 2, 3]))
    let order = try #require(
      Hexadecimal.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
    var carry = 0
    for index in 0..<32 {
      carry += Int(signature[32 + index]) + Int(order[index])
      signature[32 + index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    #expect(!Ed25519Key.verify(signature, of: [1, 2, 3], publicKey: pair.publicKey))
  }
}
