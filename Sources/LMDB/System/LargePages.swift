internal import Glibc

/// Large pages for memory that is looked up in no order, which otherwise waits for addresses too.
package enum LargePages {
  /// Asks the system for large pages behind the room an array has reserved; it may decline.
  ///
  /// Pages that were written to stay what they are, so this comes before the first element.
  package static func request<Element: BitwiseCopyable>(for array: inout [Element]) {
    let byteCount = array.capacity * MemoryLayout<Element>.stride
    guard byteCount >= 8 << 20 else { return }
    unsafe array.withUnsafeMutableBufferPointer { buffer in
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      // SAFETY: the range lies within the array's room, and advice changes no byte of it.
      let start = unsafe base.alignedUp(toMultipleOf: page)
      let end = unsafe (base + byteCount).alignedDown(toMultipleOf: page)
      _ = unsafe madvise(start, end - start, MADV_HUGEPAGE)
    }
  }
}
