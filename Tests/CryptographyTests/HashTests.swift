import Cryptography
import TestSupport
import Testing
import Values

@Suite struct `Hashes and codes` {
  /// FIPS 180-4's examples, as NIST publishes them.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]) func `SHA-256 is the standard's`(message: String, hash: String) {
    #expect(Hexadecimal.text(SHA256.hash(Array(message.utf8)).bytes) == hash)
  }

  @Test func `SHA-1 is the standard's`() {
    let empty = Hexadecimal.text(SHA1.hash([]))
    #expect(empty == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    let hash = Hexadecimal.text(SHA1.hash(Array("abc".utf8)))
    #expect(hash == "a9993e364706816aba3e25717850c26c9cd0d89d")
  }

  /// RFC 4231's test cases 1 to 3, 6 and 7.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]) func `codes are the standard's`(key: [UInt8], message: [UInt8], code: String) {
    #expect(Hexadecimal.text(HMAC.code(of: message, key: key).bytes) == code)
  }

  @Test func `a message in pieces hashes as it does in one`() {
    var random = SeededGenerator(seed: 8)
    for count in 0..<400 {
      let message = random.bytes(count)
      let key = SHA256.hash(random.bytes(8))
      var hash = SHA256()
      var code = HMAC(key: key)
      var place = 0
      while place < count {
        let end = Int.random(in: place...min(count, place + 150), using: &random)
        let piece = unsafe message.span.bytes.extracting(place..<end)
        hash.add(piece)
        code.add(piece)
        place = end
      }
      #expect(hash.finish() == SHA256.hash(message), "\(count) bytes")
      #expect(code.finish() == HMAC.code(of: message, key: key.bytes), "\(count) bytes")
    }
  }

  @Test func `a copy goes on by itself`() {
    var one = SHA256()
    one.add(Array("a".utf8))
    var other = one
    one.add(Array("bc".utf8))
    other.add(Array("d".utf8))
    #expect(one.finish() == SHA256.hash(Array("abc".utf8)))
    #expect(other.finish() == SHA256.hash(Array("ad".utf8)))
  }
}
