import Cairn

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

extension Scope {
  /// What a token must allow to record an event of a kind.
  ///
  /// A watcher tells what happened. It takes nothing away, and does not say how all is read.
  static func needed(toRecord kind: EventKind) -> Scope {
    switch kind {
    case .index, .update, .view, .select, .impression, .extend: .ingest
    case .delete: .write
    case .purge, .schema: .admin
    }
  }
}
