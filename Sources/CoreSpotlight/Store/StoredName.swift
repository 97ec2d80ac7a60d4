/// A name as the store has it, byte for byte: as texts, two spellings of one letter are equal.
struct StoredName: Hashable, Comparable, Sendable {
  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  static func < (one: StoredName, other: StoredName) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
