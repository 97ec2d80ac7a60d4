import Cairn
import Files
import Glibc
import Importers

/// Names of what can be read once only, as names of files that open from their beginning.
enum PipedInput {
  /// Keeps what comes through standard input or a process substitution; other names stay.
  ///
  /// - Parameters:
  ///   - words: Names of files; `-` is standard input.
  ///   - scratch: Where it is kept, in a file without a name.
  /// - Returns: Names under which everything can be opened again.
  /// - Throws: A failure of the disk or of the input.
  static func kept(_ words: [String], scratch: String) throws(Failure) -> [String] {
    var paths: [String] = []
    for word in words {
      let path = word == "-" ? "/dev/stdin" : word
      TypedInput.tell(of: word)
      if let descriptor = descriptor(of: path), FileStatus(descriptor: descriptor)?.isFile != true {
        do throws(CairnError) { try ScratchFile.keep(descriptor, in: scratch) } catch {
          throw Failure(error, place: word)
        }
      }
      paths.append(path)
    }
    return paths
  }

  private static func descriptor(of path: String) -> Int32? {
    if path == "/dev/stdin" { return STDIN_FILENO }
    return path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst("/dev/fd/".count)) : nil
  }
}
