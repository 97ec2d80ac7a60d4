import Catalog
import LMDB
import Projections

extension Moment {
  /// What a question is about: one before the horizon of some domains only may still be answered.
  enum Extent {
    case everything
    /// Items of a domain and those below it.
    case domain(String)
    case item

    init(_ domain: String?) { self = domain.map { .domain($0) } ?? .everything }
  }

  /// Whether some versions are gone that a question about a part of the items does not need; throws
  /// where it may need them.
  func checkKept(_ extent: Extent, _ horizon: Horizon) throws(CairnError) -> Bool {
    guard sequence < horizon.latest else { return false }
    guard sequence >= horizon.sequence else { throw Self.beyond(horizon.latest) }
    switch extent {
    case .item: return true
    case .everything: throw Self.beyond(horizon.latest)
    case .domain(let asked):
      for kept in horizon.domains where sequence < kept.value {
        guard !DomainPath.covers(asked, kept.key), !DomainPath.covers(kept.key, asked) else {
          throw Self.beyond(kept.value)
        }
      }
      return true
    }
  }

  static func beyond(_ point: UInt64) -> CairnError {
    CairnError(
      .noSuchPoint, "old versions are kept from event \(point) on, and that point is before it",
      place: "point", remedy: .replayInto)
  }

  /// Throws where an item's version of then is gone.
  func checkKept(
    _ item: UInt32, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard try isKept(item, view, txn) else { throw Self.beyond(view.horizon) }
  }

  /// Whether an item's version of then is there, or it had none.
  func isKept(
    _ item: UInt32, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    guard view.hasGaps else { return true }
    return try view.generation.catalog.isKept(item, asOf: sequence, in: txn)
  }
}
