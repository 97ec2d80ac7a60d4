extension CairnError {
  /// What a caller can do about an error.
  ///
  /// Open, like ``Code``: a later release may know more of them. A program says it in its own
  /// words; `cairn` names the command to run.
  public struct Remedy: Hashable, Sendable, CustomStringConvertible {
    /// What to do, in words.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// Build the projections again from the log.
    public static let rebuild = Remedy("rebuild the projections")
    /// Verify the store, to learn what else is damaged.
    public static let verify = Remedy("verify the store")
    /// Restore a backup into another directory.
    public static let restore = Remedy("restore a backup into another directory")
    /// Look how far the rebuild is that runs now.
    public static let rebuildStatus = Remedy("wait for the rebuild that runs")
    /// Look at the statistics, which name the last event.
    public static let statistics = Remedy("ask for the statistics, which name the last event")
    /// Look at the list of snapshots.
    public static let snapshots = Remedy("ask for the list of snapshots")
    /// Take the origin from the store's checkpoints.
    public static let origin = Remedy("take the origin of its checkpoints")
    /// Put the signing key back, or give the store a new one.
    public static let newKey = Remedy("put it back, or give the store a new key")
    /// Make a witness's key.
    public static let witnessKey = Remedy("give a name to make one")
    /// Trust a key of the log.
    public static let trust = Remedy("trust a key of that log first")
    /// Lift the block that a purge left.
    public static let unblock = Remedy("lift that block first")
    /// Take a newer backup, or accept that events are lost.
    public static let acceptLoss = Remedy("take a newer backup, or accept the loss")
    /// Undo the last change of schema.
    public static let undoSchema = Remedy("undo the change of schema")
    /// Look at the list of migrations.
    public static let migrations = Remedy("ask for the list of migrations")
    /// Replay the log up to that point into another directory, which knows all of it.
    public static let replayInto = Remedy("replay the log up to there into another directory")
    /// Install a newer release of Cairn.
    public static let newerProgram = Remedy("install a newer Cairn")
  }
}
