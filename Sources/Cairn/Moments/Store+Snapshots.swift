import EventLog

/// A name for a point in a store's history.
public struct NamedSnapshot: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The point: the state right after this event.
  public var sequence: UInt64
  /// When that event was recorded; nil for the empty store.
  public var recorded: Timestamp?
  /// When the name was given.
  public var created: Timestamp
  /// Root of the hash tree at that size, 32 bytes.
  public var rootHash: Hash32
  /// Items present at that point.
  public var itemCount: Int

  init(_ point: NamedPoint) {
    name = point.name
    sequence = point.sequence
    recorded = point.recorded
    created = point.created
    rootHash = point.root
    itemCount = Int(clamping: point.items)
  }
}

extension Store {
  /// Names a point.
  ///
  /// Costs one small write: history is kept anyway.
  /// - Parameters:
  ///   - name: 1 to 480 bytes that read neither as a number nor as a time (``TimeExpression``) nor
  ///     as `head`.
  ///   - point: The point; its items are counted.
  /// - Returns: The snapshot.
  /// - Throws: `badArgument` for such a name, `nameTaken`, `noSuchPoint`; `diskFull` where it would
  ///   leave out events that the projections have no room for; `readOnly`; `busy` when another
  ///   process writes for longer than ``patience``.
  /// - Complexity: O(1) for the present, O(items) for the past.
  /// - Note: Blocks the calling thread.
  @discardableResult public func createSnapshot(_ name: String, at point: Point = .head)
    throws(CairnError) -> NamedSnapshot
  {
    guard !name.isEmpty, !Point.isReserved(name), !name.utf8.contains(0) else {
      throw CairnError(
        .badArgument,
        "a snapshot's name may not be empty or read as a number, a time or the head; take another")
    }
    let isOpenEnded =
      switch point {
      case .head, .time: true
      case .sequence, .snapshot: false
      }
    while true {
      let erasure = try log.lastErasure()
      let moment = try at(point)
      let itemCount = try moment.itemCount()
      let named = NamedPoint(
        name: name, sequence: moment.sequence, recorded: try recorded(at: moment.sequence),
        created: Timestamp.now(), root: try log.root(at: moment.sequence), items: UInt64(itemCount))
      let isCreated: Bool? = try log.withWriterLock(wait: patience) { () throws(CairnError) in
        // A purge that came in between has corrected the counts of all others: count again.
        guard try log.lastErasure() == erasure else { return nil }
        // The present and times count all that is acknowledged.
        if isOpenEnded, try self.foldRest() { return nil }
        return try log.createNamedPoint(named)
      }
      switch isCreated {
      case true?: return NamedSnapshot(named)
      case false?:
        throw CairnError(.nameTaken, "a snapshot of that name exists; delete it or choose another")
      case nil: continue
      }
    }
  }

  /// All snapshots, by name in byte order.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Complexity: O(snapshots).
  /// - Note: Blocks the calling thread.
  public func snapshots() throws(CairnError) -> [NamedSnapshot] {
    try log.namedPoints().map(NamedSnapshot.init)
  }

  /// A snapshot, or nil when none has the name.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Complexity: O(log snapshots).
  /// - Note: Blocks the calling thread.
  public func snapshot(_ name: String) throws(CairnError) -> NamedSnapshot? {
    try log.namedPoint(name).map(NamedSnapshot.init)
  }

  /// Forgets a name; the history stays.
  ///
  /// The name is overwritten in the files too, since it may be somebody's. While a read of an
  /// earlier commit goes on it stays in free pages, until the next deletion or purge. It does so
  /// where the process is killed on the way, too: ask again, though nothing has that name any more.
  /// - Returns: Whether there was one.
  /// - Throws: `readOnly`; `busy` when another process writes for longer than ``patience``.
  /// - Complexity: O(bytes of the log), since all free pages are looked through.
  /// - Note: Blocks the calling thread.
  @discardableResult public func deleteSnapshot(_ name: String) throws(CairnError) -> Bool {
    try forgetSnapshot(name) != nil
  }

  /// Forgets a name, see ``deleteSnapshot(_:)``.
  /// - Returns: Whether nothing is left of it in the files; nil when there was none.
  package func forgetSnapshot(_ name: String) throws(CairnError) -> Bool? {
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      let isKnown = try log.deleteNamedPoint(name)
      // Where it is not known, who forgot it may have ended before its bytes were overwritten.
      let isGone = try log.scrub(wait: min(patience, .seconds(1))) == 0
      return isKnown ? isGone : nil
    }
  }
}
