import EventLog

/// Closures of an application that bring its older events up to date.
extension Store {
  /// Opens a store whose events an application's own closures bring up to date; see
  /// ``EventUpcaster``.
  ///
  /// Names, versions and domains are kept with the log. Where they are others than before,
  /// projections are made anew: before this returns, or in the background while those of before
  /// serve, as for another version of Cairn. Where a closure cannot be used nothing changes.
  ///
  /// A program that opens the store without them, as `cairn` does, is answered from what was
  /// folded, and may copy, verify and prove. What would fold an event is refused with `conflict`:
  /// appending, rebuilding, changing the schema, a deep verification.
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - access: `readOnly` takes only the upcasters that the store has.
  ///   - patience: How long an append may wait for another process that writes.
  ///   - upcasters: All of them, in the order in which they apply; none lets go of those that there
  ///     were.
  /// - Returns: The open store.
  /// - Throws: As ``open(at:access:patience:)-(String,_,_)``; `badArgument` for a closure that
  ///   gives other bytes on a second run or changes more than attributes; `conflict` for reading
  ///   with others.
  /// - Note: Blocks the calling thread.
  public static func open(
    at directory: String, access: Access = .readWrite, patience: Duration = .seconds(10),
    upcasters: [EventUpcaster]
  ) throws(CairnError) -> Store {
    try open(
      at: directory, access: access, patience: patience, given: try EventUpcasters(upcasters))
  }

  /// Notes the upcasters that a program was given, and makes the store whole with them.
  ///
  /// Those of before stay where the new ones cannot be used.
  func settle(_ given: EventUpcasters?) throws(CairnError) {
    guard let given else { return }
    let before = try log.metadata(EventLog.upcastersKey)
    let identity = Array(given.identity.utf8)
    guard identity != before ?? [] else {
      if access == .readWrite { try repair(wait: patience) }
      return
    }
    guard access == .readWrite else {
      throw CairnError(
        .conflict, "projections were made with other upcasters; open the store for writing first",
        place: "upcasters")
    }
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      try log.setMetadata(identity, for: EventLog.upcastersKey)
    }
    do throws(CairnError) {
      try repair(wait: patience)
      try log.withWriterLock(wait: patience) { () throws(CairnError) in
        try log.setFoldSetting(identity, for: EventLog.upcastersKey)
      }
    } catch {
      // Why it failed is what the caller has to hear of.
      try? log.withWriterLock(wait: patience) { () throws(CairnError) in
        try log.setMetadata(before, for: EventLog.upcastersKey)
      }
      throw error
    }
  }

  /// Folds the log of a new store, unless that takes upcasters that this program lacks: then
  /// whoever has them does when it is next opened.
  static func foldCopy(at directory: String, given: EventUpcasters?) throws(CairnError) {
    let log = try LogFile.open(in: directory)
    let recorded = Result { () throws(CairnError) in try log.metadata(EventLog.upcastersKey) }
    log.close()
    let identity = try recorded.get() ?? []
    guard identity.isEmpty || given.map({ Array($0.identity.utf8) == identity }) ?? false else {
      return
    }
    try open(
      at: directory, access: .readWrite, patience: .seconds(10),
      given: identity.isEmpty ? nil : given
    ).close()
  }
}
