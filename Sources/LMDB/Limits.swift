/// The sizes the storage layer accepts, each with its reason.
package enum Limits {
  /// LMDB's compiled-in key length (`mdb_env_get_maxkeysize`).
  package static let keyByteCountMax = 511
  /// Bytes the checksum takes at the end of each stored value.
  package static let checksumByteCount = 4
  /// Longest value, checksum excluded.
  ///
  /// With it a row stays inside a leaf page. Longer ones would take whole overflow pages, which
  /// are copied with whatever an erased value left in their tail.
  package static let valueByteCountMax = 1_900 - checksumByteCount
  /// Reader slots in the lock file, shared by all processes.
  static let readerCountMax: UInt32 = 1_024
  /// Idle read transactions an environment keeps; each holds one slot.
  static let idleReaderCountMax = 64
  /// Room below which a device on which a write came out short counts as full.
  static let fullDeviceByteCount: UInt = 1 << 20
  /// Commits between two looks for slots of dead processes.
  static let commitsPerReaderCheck = 64
  /// How long a change of the map waits for readers of this process to finish.
  static let gateWait = Duration.seconds(30)
  /// The smallest map worth trying when the system refuses larger ones.
  static let mapByteCountMin = 64 << 20
}
