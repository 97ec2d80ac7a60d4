/// What a token allows.
package enum Scope: String, Sendable, CaseIterable {
  /// Appending, and no reading.
  case ingest
  /// Every question.
  case read
  /// Questions, appending, snapshots, consumers and the pause.
  case write
  /// Everything.
  case admin

  /// Whether it allows what needs another one.
  package func allows(_ needed: Scope) -> Bool {
    switch self {
    case .admin: true
    case .write: needed != .admin
    case .read: needed == .read
    case .ingest: needed == .ingest
    }
  }
}
