import Glibc

/// Documents as lines of tab-separated fields, all in one array of bytes.
struct SearchCorpus {
  let bytes: [UInt8]
  /// Fields of each line.
  private(set) var lines: [[Range<Int>]] = []

  /// Reads a file whose fields hold neither tabs nor line ends.
  init(path: String) {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    precondition(file >= 0, "cannot read \(path)")
    let size = lseek(file, 0, SEEK_END)
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      while count < size {
        // SAFETY: reads into the part of the buffer that is not filled yet.
        let read = unsafe pread(file, start + count, size - count, count)
        precondition(read > 0, "cannot read all of \(path)")
        count += read
      }
    }
    close(file)
    var fields: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 0x09 || byte == 0x0A {
      fields.append(start..<index)
      start = index + 1
      guard byte == 0x0A else { continue }
      lines.append(fields)
      fields.removeAll()
    }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension Samples {
  /// The one that so large a share does not exceed, in microseconds.
  func percentile(_ share: Double) -> Double {
    let sorted = microseconds.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
