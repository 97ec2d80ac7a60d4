import Glibc

/// Paths as the file system has them.
package enum RealPath {
  /// The absolute path to which a path leads, links followed; nil for nothing there.
  package static func of(_ path: String) -> String? {
    // SAFETY: the call allocates the path, which is copied and freed here.
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// The path that stays right when the process goes to another folder.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = of(".") else { return path }
    return folder + "/" + path
  }
}
