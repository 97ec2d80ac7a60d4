import Files
import Glibc
package import LMDB
import Synchronization

/// The texts of small files that are asked for all the time and seldom replaced.
///
/// Another process may replace them at any time: each call looks at the file, which costs a fifth
/// of reading it.
package final class SmallFileCache: Sendable {
  /// What tells a file from those that had its name before.
  private struct Identity: Equatable {
    var device: UInt64
    var number: UInt64
    var byteCount: Int
    var changeSeconds: Int
    var changeNanoseconds: Int

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      byteCount = Int(status.st_size)
      changeSeconds = status.st_ctim.tv_sec
      changeNanoseconds = status.st_ctim.tv_nsec
    }
  }

  private let known = Mutex<[String: (identity: Identity, text: String)]>([:])

  /// Knows no file.
  package init() {}

  /// The text of a file, or nil when there is none.
  /// - Complexity: one look at the file where it is the one that was read before.
  /// - Throws: What ``SmallFile/read(_:)`` throws.
  package func text(of path: String) throws(CairnError) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      known.withLock { $0[path] = nil }
      return try SmallFile.read(path)
    }
    let identity = Identity(status)
    if let known = known.withLock({ $0[path] }), known.identity == identity { return known.text }
    // Replaced since, it is the newer text under the older identity, and is read once more.
    let text = try SmallFile.read(path)
    known.withLock { $0[path] = text.map { (identity, $0) } }
    return text
  }
}
