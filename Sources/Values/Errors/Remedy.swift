extension CairnError {
  /// What a caller can do about an error.
  ///
  /// Open, like ``Code``: a later release may know more of them. A program says it in its own
  /// words; `cairn` names the command to run.
  public struct Remedy: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case rebuild = "rebuild the projections"
      case verify = "verify the store"
      case restore = "restore a backup into another directory"
      case rebuildStatus = "wait for the rebuild that runs"
      case statistics = "ask for the statistics, which name the last event"
      case snapshots = "ask for the list of snapshots"
      case origin = "take the origin of its checkpoints"
      case newKey = "put it back, or give the store a new key"
      case witnessKey = "give a name to make one"
      case trust = "trust a key of that log first"
      case unblock = "lift that block first"
      case acceptLoss = "take a newer backup, or accept the loss"
      case undoSchema = "undo the change of schema"
      case migrations = "ask for the list of migrations"
      case replayInto = "replay the log up to there into another directory"
      case newerProgram = "install a newer Cairn"
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// What to do, in words.
    public var description: String { kind.rawValue }

    /// Build the projections again from the log.
    public static let rebuild = Remedy(.rebuild)
    /// Verify the store, to learn what else is damaged.
    public static let verify = Remedy(.verify)
    /// Restore a backup into another directory.
    public static let restore = Remedy(.restore)
    /// Look how far the rebuild is that runs now.
    public static let rebuildStatus = Remedy(.rebuildStatus)
    /// Look at the statistics, which name the last event.
    public static let statistics = Remedy(.statistics)
    /// Look at the list of snapshots.
    public static let snapshots = Remedy(.snapshots)
    /// Take the origin from the store's checkpoints.
    public static let origin = Remedy(.origin)
    /// Put the signing key back, or give the store a new one.
    public static let newKey = Remedy(.newKey)
    /// Make a witness's key.
    public static let witnessKey = Remedy(.witnessKey)
    /// Trust a key of the log.
    public static let trust = Remedy(.trust)
    /// Lift the block that a purge left.
    public static let unblock = Remedy(.unblock)
    /// Take a newer backup, or accept that events are lost.
    public static let acceptLoss = Remedy(.acceptLoss)
    /// Undo the last change of schema.
    public static let undoSchema = Remedy(.undoSchema)
    /// Look at the list of migrations.
    public static let migrations = Remedy(.migrations)
    /// Replay the log up to that point into another directory, which knows all of it.
    public static let replayInto = Remedy(.replayInto)
    /// Install a newer release of Cairn.
    public static let newerProgram = Remedy(.newerProgram)
  }
}
