import Cairn
import Files
import Importers

/// Small files read whole: checkpoints, proofs, requests.
enum WholeInput {
  /// More than any note may have.
  static let byteCountMax = 4 << 20

  /// The bytes of a file; `-` is standard input.
  static func read(_ path: String, limit: Int = byteCountMax, what: String = "evidence")
    throws(Failure) -> [UInt8]
  {
    let bytes = try beginning(of: path, past: limit)
    guard bytes.count > limit else { return bytes }
    throw Failure(
      .data, "is too large for \(what): more than \(limit) bytes", place: name(path))
  }

  /// The bytes of a file whose reader refuses one of more than `limit` bytes: of such a one no more
  /// than shows that.
  static func beginning(of path: String, past limit: Int) throws(Failure) -> [UInt8] {
    TypedInput.tell(of: path)
    var bytes: [UInt8] = []
    do throws(CairnError) {
      let stream = try ByteStream(path: path, unpacks: false)
      while bytes.count <= limit, try stream.next() { bytes += stream.chunk }
    } catch { throw Failure(error, place: name(path)) }
    return bytes
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// The text of a file of evidence.
  static func text(_ path: String) throws(Failure) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Whether a path names what can be read once only; `-` is standard input.
  static func isPipe(_ path: String) -> Bool { path == "-" || FileStatus(path)?.isPipe == true }

  static func isDirectory(_ path: String) -> Bool { FileStatus(path)?.isFolder == true }
}

/// Standard input that nobody redirected.
enum TypedInput {
  /// Says to who sits at the terminal that a command waits for them; `-` is standard input.
  static func tell(of path: String) {
    guard path == "-", Terminal.inputIsTerminal, Terminal.errorsAreTerminal else { return }
    Diagnostics.line("cairn: reading what you type; Ctrl-D on a line of its own ends it")
  }
}

/// How much there is to read.
enum InputSize {
  /// The size of some files; nil where one of them is no file, such as a pipe.
  static func total(_ paths: [String]) -> Int? {
    var total = 0
    for path in paths {
      guard let status = FileStatus(input: path), status.isFile else { return nil }
      total += status.byteCount
    }
    return total
  }
}
