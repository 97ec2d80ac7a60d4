import Values

/// Bytes as standards print them.
enum Hexadecimals {
  static func text(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(bytes)
  }

  static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16) ?? 0
    }
  }
}
