import EventLog

struct PurgeOrder {
  var scope: PurgeScope
  /// The digest of the plan that somebody agreed to; nil for whatever there is.
  var planned: Hash32?
  /// What later events are refused for.
  var blocks: [BlockedName] = []
  /// The conditions under which the ids of what is erased are refused; nil where they are not.
  var conditions: [UInt8]?

  /// Refuses to erase anything else than was agreed to.
  func check(_ plan: PurgePlan) throws(CairnError) {
    guard planned == nil || planned == plan.digest else {
      throw CairnError(.conflict, "it would take other events than the plan said; plan it again")
    }
  }
}
