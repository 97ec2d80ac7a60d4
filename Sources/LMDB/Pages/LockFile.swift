import CLMDB
import Files
import Glibc

/// LMDB's own lock file beside a data file: reader slots and the writer's mutex, shared by mapping.
///
/// Only to be touched before this process has the file open: closing a descriptor of it drops the
/// locks the process holds on it (`fcntl(2)`).
struct LockFile {
  private let path: String
  private let place: String

  /// A slot of LMDB 0.9 and the header before the first one, rounded up (`mdb.c`, `MDB_reader`).
  private static let byteCount = (Int(Limits.readerCountMax) + 4) * 64

  init(besides dataPath: String, place: String) {
    path = dataPath + "-lock"
    self.place = place
  }

  /// Gives the file its blocks on disk, and tells whether it can be used.
  ///
  /// LMDB makes a sparse file and writes to it through memory, which on a full disk kills the
  /// process. Reserving the blocks first turns that into an error. (`fallocate(2)`)
  /// - Throws: `.diskFull`. Other failures are left for LMDB to meet.
  func reserve() throws(CairnError) -> Bool {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 {
      if errno == ENOSPC { throw diskFull }
      return errno != EACCES && errno != EROFS && errno != EPERM
    }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else { return true }
    // A file in use keeps its size: others have mapped it as it is.
    let byteCount = status.byteCount == 0 ? Self.byteCount : status.byteCount
    if fallocate(descriptor, 0, 0, byteCount) != 0, errno == ENOSPC { throw diskFull }
    return true
  }

  private var diskFull: CairnError {
    CairnError(status: ENOSPC, doing: "make the lock file", place: place)
  }

  /// Whether some process has the store open; false when that cannot be told.
  ///
  /// Every process with an open environment holds a shared lock on the first byte.
  func isInUse() -> Bool {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var request = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    guard unsafe cairn_lock_command(descriptor, F_GETLK, &request) == 0 else { return false }
    return request.l_type != Int16(F_UNLCK)
  }
}
