import Rows

/// Revisions of the Model Context Protocol that are spoken.
enum AssistantVersion {
  /// Without state: each request says all that is needed.
  static let modern = "2026-07-28"
  /// With a handshake, newest first; older ones have batches.
  static let legacy = ["2025-11-25", "2025-06-18"]

  static var list: [UInt8] { JSONLine.strings([modern] + legacy) }
}
