/// The bytes of JSON that stand outside of texts, and how deep they nest.
enum JSONStructure {
  /// Visits each byte outside of texts, the quote that begins one among them; `depth` counts the
  /// brackets that are open before the byte.
  static func forEach(
    in bytes: [UInt8], _ body: (_ index: Int, _ byte: UInt8, _ depth: Int) -> Void
  ) {
    var depth = 0
    var (isInText, isEscaped) = (false, false)
    for (index, byte) in bytes.enumerated() {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      body(index, byte, depth)
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }
}
