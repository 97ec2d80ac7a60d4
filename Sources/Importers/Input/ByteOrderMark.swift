/// The mark that some programs put before UTF-8.
package enum ByteOrderMark {
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first line of a text without it.
  package static func dropped(from line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.starts(with: bytes) ? line.dropFirst(bytes.count) : line
  }
}
