import Cairn

/// A folder of the store for what requests need for a while: bodies that are too large for memory,
/// copies of databases, events being sorted.
///
/// Nothing in it outlives a request; what a killed server left goes when the next one starts.
package struct RequestScratch: Sendable {
  package let path: String

  private let directory: String

  init(directory: String) {
    self.directory = directory
    path = "\(directory)/\(ServerFiles.scratch)"
  }

  /// Removes what is there.
  func clear() throws(CairnError) { try ServerFiles.clearScratch(of: directory) }
}
