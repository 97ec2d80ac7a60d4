import Glibc

extension ArraySlice<UInt8> {
  /// Whether these bytes stand in it, one right after the other.
  ///
  /// The rarer the first of them is, the faster.
  /// - Complexity: O(*n* · *m*), as a rule O(*n*).
  package func holds(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    // SAFETY: both buffers live through the body, and no more than they hold is read.
    return unsafe withUnsafeBytes { whole in
      unsafe bytes.withUnsafeBytes { part in
        guard let start = whole.baseAddress, let wanted = part.baseAddress else { return false }
        var place = 0
        while place + part.count <= whole.count {
          let places = whole.count - part.count - place + 1
          guard let found = unsafe memchr(start + place, Int32(first), places) else { break }
          if unsafe memcmp(found, wanted, part.count) == 0 { return true }
          place = unsafe UnsafeRawPointer(found) - start + 1
        }
        return false
      }
    }
  }
}
