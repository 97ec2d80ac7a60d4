import Files
package import LMDB
import Synchronization

/// The texts of small files that are asked for all the time and seldom replaced.
///
/// Another process may replace them at any time: each call looks at the file, which costs a fifth
/// of reading it.
package final class SmallFileCache: Sendable {
  private let known = Mutex<[String: (status: FileStatus, text: String)]>([:])

  package init() {}

  /// The text of a file, or nil when there is none.
  /// - Complexity: one look at the file where it is the one that was read before.
  /// - Throws: What ``SmallFile/read(_:)`` throws.
  package func text(of path: String) throws(CairnError) -> String? {
    guard let status = FileStatus(path) else {
      known.withLock { $0[path] = nil }
      return try SmallFile.read(path)
    }
    if let known = known.withLock({ $0[path] }), known.status == status { return known.text }
    // Replaced since, it is the newer text under the older status, and is read once more.
    let text = try SmallFile.read(path)
    known.withLock { $0[path] = text.map { (status, $0) } }
    return text
  }
}
