import Cairn
import Files
import Glibc

/// Why a command ends with another status than 0: one line that says what, where and what to do.
struct Failure: Error {
  /// Exit codes, which scripts rely on.
  enum Status: Int32 {
    /// The answer is no: not found, not equal, not verified.
    case no = 1
    /// The command line makes no sense.
    case usage = 64
    /// The input holds something that is no event or query.
    case data = 65
    /// No such store or file.
    case noInput = 66
    /// Another process holds the writer.
    case unavailable = 69
    /// A defect of ours.
    case `internal` = 70
    /// A server or the network does not answer now: run again.
    case later = 75
    /// The disk failed, or is full, or may not be written.
    case disk = 74
    case interrupted = 130
  }

  var status: Status
  /// Nil where everything was said already.
  var message: String?
  var place: String?

  init(_ status: Status, _ message: String?, place: String? = nil) {
    self.status = status
    self.message = message
    self.place = place
  }

  init(_ error: CairnError) {
    let status: Status =
      switch error.code {
      case .missing, .notAStore: .noInput
      case .busy: .unavailable
      case .corrupt, .diskFull, .mapFull, .readersFull, .io, .readOnly: .disk
      case .badArgument, .badQuery: .usage
      case .badEvent, .badSchema, .malformed, .unsupportedFormat: .data
      case .noSuchPoint, .nameTaken, .conflict, .aborted, .notVerified: .no
      default: .internal
      }
    self.init(status, error.advisedMessage, place: error.argument)
  }

  /// A failure about a file that a system call would not touch; `errno` says why.
  static func file(_ path: String, _ what: String) -> Failure {
    let missing = [ENOENT, ENOTDIR, EISDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno)
    return Failure(missing ? .noInput : .disk, "\(what): \(systemMessage())", place: path)
  }

  /// What `errno` means.
  static func systemMessage() -> String { CairnError.reason(of: errno) }

  /// The line to print, without its newline.
  var line: String? {
    guard let message else { return nil }
    // An empty name, as of a variable that is not set, would be seen by nobody.
    return place.map { "cairn: \($0.isEmpty ? "''" : $0): \(message)" } ?? "cairn: \(message)"
  }
}

extension StoreIdentity {
  /// - Throws: `noInput` when the store was removed or replaced: to go on would make a new one.
  func check(_ command: String) throws(Failure) {
    guard !isThere else { return }
    throw Failure(
      .noInput,
      "the store was removed or replaced; nothing was recorded, start anew with: cairn \(command)")
  }
}

/// What a call of the engine gives; its error becomes a failure.
func answering<R: ~Copyable>(_ body: @autoclosure () throws(CairnError) -> R) throws(Failure) -> R {
  do { return try body() } catch { throw Failure(error) }
}

/// The same, for more than one call.
func answering<R: ~Copyable>(_ body: () throws(CairnError) -> R) throws(Failure) -> R {
  do { return try body() } catch { throw Failure(error) }
}
