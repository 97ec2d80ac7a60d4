import EventLog
import Glibc
import LMDB
import Migrations
import Projections

/// One step between what an older version wrote and what this one reads.
package struct Migration: Sendable, Equatable {
  /// What a migration brings up to date.
  package enum Kind: String, Sendable {
    /// The shape of events, on reading: stored bytes never change.
    case upcaster
    /// A projection, made anew from the log.
    case projection
  }

  /// Whether anything is left to do.
  package enum State: String, Sendable {
    /// Everything read is of today's shape.
    case applied
    /// The next process that opens the store for writing does it.
    case pending
  }

  /// The migration's name, unique among all.
  package var id: String
  /// What it brings up to date.
  package var kind: Kind
  /// Whether anything is left to do.
  package var state: State
}

extension Store {
  /// Every migration there is, oldest first, the projections last.
  ///
  /// - Returns: One for each upcaster and each projection.
  /// - Complexity: O(1).
  /// - Throws: what the disk says; projections that cannot be read are pending, not an error.
  package func migrations() throws(CairnError) -> [Migration] {
    let state: Migration.State =
      try hasTodaysProjections() ? .applied : .pending
    // An event is brought up whenever it is read, so that none is ever left to do.
    let upcasters = Migrations.upcasters.map { upcaster in
      Migration(id: upcaster.name.description, kind: .upcaster, state: .applied)
    }
    let projections = Generation.names.map { name in
      Migration(id: name.text, kind: .projection, state: state)
    }
    return upcasters + projections
  }

  private func hasTodaysProjections() throws(CairnError) -> Bool {
    do throws(CairnError) {
      guard let generation = try generation() else { return try log.head().sequence == 0 }
      return try !generation.checkpoint().isOutdated(by: schemas.lens(of: log))
    } catch  where Self.isDamageOfProjections(error) { return false }
  }

  /// Does the migrations that are pending.
  ///
  /// Opening a store for writing begins with them; this waits until they are done, here or in
  /// another process.
  /// - Parameter progress: Called after each batch of events; returning false stops the work, which
  ///   keeps what it has.
  /// - Throws: `diskFull`, `readOnly`.
  /// - Complexity: O(events) where a projection is pending, else O(1).
  package func migrate(progress: (RebuildProgress) -> Bool = { _ in true }) throws(CairnError) {
    while try migrations().contains(where: { $0.state == .pending }) {
      do throws(CairnError) { guard try rebuild(progress: progress) != nil else { return } } catch
        where error.code == .busy
      { usleep(100_000) }
    }
  }
}
