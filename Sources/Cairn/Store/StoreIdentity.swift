import Files

/// Tells the store that a process opened from another one that was put in its place.
package struct StoreIdentity: Sendable {
  private let path: String
  private let opened: FileStatus?

  package init(directory: String) {
    path = directory + "/log.mdb"
    opened = FileStatus(path)
  }

  package var isThere: Bool {
    guard let opened, let now = FileStatus(path) else { return false }
    return now.isSame(as: opened)
  }
}
