import Glibc
import TextIndex

/// Documents of title, text and keywords as lines of tab-separated fields, in a mapped file: they
/// take memory only while they are read.
@safe final class MappedCorpus: @unchecked Sendable {
  // Sendable by hand: nothing changes after the end of `init`.
  private let bytes: UnsafeRawBufferPointer
  /// Where each line begins, and where the last one ends.
  private var starts: [UInt32] = [0]

  var count: Int { starts.count - 1 }

  /// Maps a file of less than 4 GiB whose fields hold neither tabs nor line ends.
  init(path: String) {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    precondition(file >= 0, "cannot read \(path)")
    let size = lseek(file, 0, SEEK_END)
    let map = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file, 0)
    precondition(unsafe map != MAP_FAILED, "cannot map \(path)")
    close(file)
    unsafe bytes = UnsafeRawBufferPointer(start: map, count: size)
    for index in 0..<size where unsafe bytes[index] == 0x0A { starts.append(UInt32(index + 1)) }
    releaseMemory()
  }

  deinit { unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  func document(_ number: Int) -> (fields: [TextIndex.Field], bytes: [UInt8]) {
    // SAFETY: lines lie inside the file.
    let line = unsafe Array(bytes[Int(starts[number])..<Int(starts[number + 1])])
    let kinds: [TextIndex.FieldKind] = [.title, .text, .keywords]
    var fields: [TextIndex.Field] = []
    var start = 0
    for (index, byte) in line.enumerated() where byte == 0x09 || byte == 0x0A {
      fields.append(TextIndex.Field(kind: kinds[fields.count], bytes: start..<index))
      start = index + 1
      if fields.count == kinds.count { break }
    }
    return (fields, line)
  }

  /// Gives back the memory of what was read.
  func releaseMemory() {
    // SAFETY: pages of a shared map of a file are read again when they are needed.
    unsafe madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
  }
}
