import TestSupport
import Testing
import Values

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]) func `base64 is that of RFC 4648`(plain: String, text: String) {
    #expect(Base64.encode(plain.utf8) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm=9", "=Zm9", "Zm9v\n", " Zm9v", "Zm9-", "Zm9_",
    "Zg==Zg==", "====",
  ]) func `base64 that is not canonical is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `base64 gives any bytes back`() {
    var random = SeededGenerator(seed: 7)
    for count in 0..<100 {
      let bytes = random.bytes(count)
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
