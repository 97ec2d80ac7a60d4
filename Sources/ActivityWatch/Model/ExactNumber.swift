/// A number of JSON as Python compares it: by value, and whole ones to the last digit, which a
/// double does not keep.
enum ExactNumber: Hashable {
  case whole(Int)
  /// Digits of one that is beyond 64 bits.
  case long(String)
  case real(Double)

  init(_ text: String) {
    if let value = Int(text) {
      self = .whole(value)
    } else if !text.contains(where: { ".eE".contains($0) }) {
      self = .long(text)
    } else {
      // JSON has no text of a number that Swift cannot read.
      let value = Double(text) ?? .nan
      self = Int(exactly: value).map(Self.whole) ?? .real(value)
    }
  }
}
