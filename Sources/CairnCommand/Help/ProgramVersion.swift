import CBuild
import Cairn

/// What `cairn --version` says: the version, the commit where the build was told it, and the
/// formats that are written.
enum ProgramVersion {
  static let number = "0.1.0"

  static var text: String {
    // SAFETY: a constant, NUL-ended text.
    let commit = unsafe String(cString: cairn_commit())
    let build = commit.isEmpty ? "" : " (commit \(commit))"
    let formats = Store.formats.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return "cairn \(number)\(build)\nformats: \(formats)"
  }
}
