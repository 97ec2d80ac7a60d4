import Files
import Glibc
package import Values

/// A file without a name: it is gone when nobody has it open, whatever ends the program.
package final class ScratchFile {
  private let file: OpenFile
  package private(set) var byteCount = 0

  package init(in scratch: String) throws(CairnError) { file = try OpenFile(scratchIn: scratch) }

  /// Takes all there is of a file that can be read once.
  convenience init(keeping path: String, in scratch: String) throws(CairnError) {
    try self.init(in: scratch)
    let stream = try ByteStream(path: path, unpacks: false)
    while try stream.next() { try write(stream.chunk) }
  }

  /// Makes a descriptor, of what can be read once, one of a file that opens from its beginning.
  ///
  /// - Throws: `io` or `diskFull` where nothing can be kept, `missing` where it cannot be read.
  package static func keep(_ descriptor: Int32, in scratch: String) throws(CairnError) {
    let path = descriptor == STDIN_FILENO ? "-" : "/dev/fd/\(descriptor)"
    let file = try ScratchFile(keeping: path, in: scratch)
    guard dup2(file.file.descriptor, descriptor) >= 0 else { throw .system(.io, "cannot be kept") }
  }

  /// Where it can be opened while this lives.
  package var path: String { "/proc/self/fd/\(file.descriptor)" }

  package func write(_ bytes: [UInt8]) throws(CairnError) {
    try file.write(bytes.rawSpan)
    byteCount += bytes.count
  }
}
