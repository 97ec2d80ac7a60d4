import CBuild
import Cairn

/// What `cairn --version` says: the version, the commit where the build was told it, and the
/// formats that are written.
enum ProgramVersion {
  static let number = "0.1.0"

  /// Whether a version is this one or an older one; what a program has of a newer one is not
  /// released yet.
  static func isReleased(_ version: String) -> Bool {
    func parts(_ version: String) -> [Int] { version.split(separator: ".").compactMap { Int($0) } }
    return !parts(number).lexicographicallyPrecedes(parts(version))
  }

  static var text: String {
    // SAFETY: a constant, NUL-ended text.
    let commit = unsafe String(cString: cairn_commit())
    let build = commit.isEmpty ? "" : " (commit \(commit))"
    let formats = Store.formats.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return "cairn \(number)\(build)\nformats: \(formats)"
  }
}
