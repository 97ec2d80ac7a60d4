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
  /// Key and value of the longest row of which two fill a leaf page to the brim: 4,096 bytes less
  /// the page's header of 16, of which each row takes 10 and its checksum.
  package static let rowByteCountMax = leafByteCount / 2 - rowOverheadByteCount
  /// Bytes of a leaf page that rows may take.
  package static let leafByteCount = 4_096 - 16
  /// What a row takes of a leaf page besides key and value; then it is rounded up to even.
  package static let rowOverheadByteCount = 10 + checksumByteCount
  /// Reader slots in the lock file, shared by all processes.
  static let readerCountMax: UInt32 = 1_024
  /// Room below which a device on which a write came out short counts as full.
  static let fullDeviceByteCount: UInt = 1 << 20
  /// Commits between two looks for slots of dead processes.
  static let commitsPerReaderCheck = 64
  /// How long a change of the map waits for readers of this process to finish.
  static let gateWait = Duration.seconds(30)
  /// The smallest map worth trying when the system refuses larger ones.
  static let mapByteCountMin = 64 << 20
}
