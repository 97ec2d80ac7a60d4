import CLMDB

/// The one page layout that this module checks and overwrites by itself: LMDB 0.9, 64-bit,
/// little-endian.
///
/// `Format.md` describes it.
enum PageLayout {
  /// Throws where the program was linked with another LMDB, or runs on another kind of machine.
  static func check() throws(CairnError) {
    var (major, minor): (CInt, CInt) = (0, 0)
    // SAFETY: the call fills the two numbers and gives back a constant text.
    _ = unsafe mdb_version(&major, &minor, nil)
    guard major == 0, minor == 9, Int.bitWidth == 64, UInt16(1).littleEndian == 1 else {
      throw CairnError(
        .internal,
        "LMDB \(major).\(minor) is not supported: link with 0.9 on a 64-bit little-endian machine")
    }
  }
}
