import Cryptography
import Foundation
import TestSupport
import Values

extension SharedData {
  /// Every fifth point of an oracle, the last one among them; all with `CAIRN_POINTS=all`.
  static func points<Point>(_ all: [Point]) -> [Point] {
    guard ProcessInfo.processInfo.environment["CAIRN_POINTS"] != "all" else { return all }
    return all.indices.filter { (all.count - 1 - $0) % 5 == 0 }.map { all[$0] }
  }
}

/// Lower-case SHA-256, as the oracles write it.
func sha256(_ text: String) -> String { Hexadecimal.text(SHA256.hash(Array(text.utf8)).bytes) }

/// The digest of the ids in byte order, a newline after each.
func digest(ofIDs ids: some Sequence<String>) -> String {
  sha256(inByteOrder(ids).map { $0 + "\n" }.joined())
}

/// Sorted by UTF-8 bytes (Swift's own order is another one).
func inByteOrder(_ strings: some Sequence<String>) -> [String] {
  strings.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}
