import Foundation

/// A directory of its own for one test, removed when the test lets go.
package final class TestDirectory: Sendable {
  package let path: String

  package init() {
    path = FileManager.default.temporaryDirectory.path + "/cairn-test-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch { preconditionFailure("no scratch directory for tests: \(error)") }
  }

  /// One that all tests of this process share, removed when it ends.
  package static let shared: String = {
    let path = FileManager.default.temporaryDirectory.path + "/cairn-tests-\(getpid())"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: TestDirectory.shared) }
    return path
  }()

  // A directory that stays behind is for the system to remove.
  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Lends one that lives as long as the body runs.
  package static func with<R>(_ body: (String) throws -> R) rethrows -> R {
    let directory = TestDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try body(directory.path)
  }
}
