package import Values

extension Hexadecimal {
  /// The bytes of two digits each; nil where the text is something else.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?.some([])) { bytes, at in
      guard let byte = UInt8(String(digits[at...at + 1]), radix: 16) else { return bytes = nil }
      bytes?.append(byte)
    }
  }
}
