import Glibc

/// Cuts bytes that come piece by piece into lines.
package struct LineBuffer: ~Copyable {
  /// A line without its newline; a carriage return before that stays.
  package struct Line {
    /// Good until the buffer is used again.
    package var bytes: ArraySlice<UInt8>
    /// Whether it is longer than may be; its bytes are gone then.
    package var isTooLong: Bool
  }

  /// Of the line that came last, from 1.
  package private(set) var lineNumber = 0
  private let byteCountMax: Int
  private let newline: UInt8
  private var bytes: [UInt8] = []
  private var unread = 0
  /// Up to here there is no newline.
  private var searched = 0
  /// Whether the line that is at hand was too long already.
  private var isSkipping = false

  /// Takes lines of so many bytes at most, which a byte or a line feed ends.
  package init(byteCountMax: Int, newline: UInt8 = 0x0A) {
    self.byteCountMax = byteCountMax
    self.newline = newline
  }

  /// Whether a line stands here whole.
  package var hasLine: Bool { end != nil }

  /// Whether the line that has no end yet is too long already, once `next()` gives no other.
  package var isTooLong: Bool { isSkipping || bytes.count - unread > byteCountMax }

  /// Adds what comes next, once `next()` gives nothing more.
  package mutating func append(_ piece: [UInt8]) {
    if isTooLong {
      isSkipping = true
      bytes.removeAll(keepingCapacity: true)
    } else {
      bytes.removeSubrange(..<unread)
    }
    (unread, searched) = (0, bytes.count)
    bytes += piece
  }

  /// The next line that is whole; at the end of all, of the `last` one, the rest as well.
  /// - Complexity: one search for the newline and no copy.
  package mutating func next(last: Bool = false) -> Line? {
    let found = end
    guard found != nil || last && (isSkipping || unread < bytes.count) else {
      searched = bytes.count
      return nil
    }
    let line = bytes[unread..<(found ?? bytes.count)]
    unread = found.map { $0 + 1 } ?? bytes.count
    searched = unread
    lineNumber += 1
    defer { isSkipping = false }
    let isTooLong = isSkipping || line.count > byteCountMax
    return Line(bytes: isTooLong ? [] : line, isTooLong: isTooLong)
  }

  private var end: Int? {
    guard newline == 0x0A else {
      return bytes[searched...].firstIndex { $0 == newline || $0 == 0x0A }
    }
    // SAFETY: memchr looks at the bytes from `searched` to the end of the buffer it is given.
    return unsafe bytes.withUnsafeBytes { bytes in
      guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
      return unsafe memchr(base + searched, 0x0A, bytes.count - searched).map {
        unsafe UnsafeRawPointer($0) - base
      }
    }
  }
}
