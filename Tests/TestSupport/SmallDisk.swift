import Foundation

/// File systems of so many bytes, to be filled.
package enum SmallDisk {
  /// Whether this user may mount, which containers often forbid.
  package static let isAllowed: Bool = {
    let path = "\(NSTemporaryDirectory())/small-disk-\(UUID().uuidString)"
    guard run(["mkdir", "-p", path]) else { return false }
    defer { _ = run(["rmdir", path]) }
    return mount(path, byteCount: 65_536) && unmount(path)
  }()

  /// Puts an empty one in place of a folder, which is made.
  package static func mount(_ path: String, byteCount: Int) -> Bool {
    run(["mkdir", "-p", path])
      && run(["mount", "-t", "tmpfs", "-o", "size=\(byteCount)", "tmpfs", path])
  }

  package static func resize(_ path: String, byteCount: Int) -> Bool {
    run(["mount", "-o", "remount,size=\(byteCount)", path])
  }

  /// False where a file stays open for writing; a process that another test starts holds copies of
  /// our descriptors for a moment.
  package static func makeReadOnly(_ path: String) -> Bool {
    for _ in 0..<200 {
      if run(["mount", "-o", "remount,ro", path]) { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  package static func unmount(_ path: String) -> Bool { run(["umount", "-l", path]) }

  private static func run(_ arguments: [String]) -> Bool { Program.output(of: arguments) != nil }
}
