import Foundation

/// Where the files are that tests read.
enum Places {
  /// The folder of golden files.
  static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden")

  /// Real data that lies beside the checkout, or nil where there is none.
  static let badInput: URL? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.deletingLastPathComponent().appending(path: "shared/data/bad-input")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()
}
