import CLMDB
import Glibc

extension CairnError {
  /// Turns an LMDB or `errno` status into an error.
  ///
  /// `action` is a phrase that completes "could not …". Statuses are those of `lmdb.h`,
  /// "Return Codes", and `errno(3)`.
  init(status: CInt, doing action: String, place: String? = nil) {
    let (code, remedy) = Self.meaning(of: status)
    let cause = unsafe String(cString: mdb_strerror(status))
    self.init(code, "could not \(action): \(cause); \(remedy)", place: place)
  }

  private static func meaning(of status: CInt) -> (Code, String) {
    switch status {
    case ENOSPC, EDQUOT:
      (.diskFull, "free some space on this device and try again; what was committed is kept")
    case EFBIG: (.diskFull, "raise ulimit -f and try again; what was committed is kept")
    // LMDB says this also of a write that ended short, as the last one before a limit does.
    case EIO: (.io, "free some space or raise ulimit -f, or check the device and the system log")
    case EROFS: (.readOnly, "copy the store to a disk that can be written")
    case EACCES, EPERM:
      (.readOnly, "check the owner and permissions of the file and its directory")
    case ENOENT: (.missing, "check the path, or create the store first")
    case ENOMEM: (.mapFull, "raise the address-space limit of this process (ulimit -v)")
    case EMFILE, ENFILE: (.io, "raise the limit on open files (ulimit -n), or close some")
    case EAGAIN, EBUSY, EDEADLK: (.busy, "wait for the other user of the file and try again")
    case EINVAL, MDB_BAD_VALSIZE, MDB_BAD_DBI, MDB_BAD_RSLOT, MDB_KEYEXIST:
      (.badArgument, "this is a mistake in the calling code")
    case MDB_INVALID: (.notAStore, "check that the path names a store")
    case MDB_VERSION_MISMATCH, MDB_INCOMPATIBLE:
      (.unsupportedFormat, "open it with the version that wrote it")
    // A transaction that met a damaged page answers everything after it with MDB_BAD_TXN.
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_CURSOR_FULL, MDB_PAGE_FULL, MDB_BAD_TXN:
      (.corrupt, "the file is damaged")
    case MDB_MAP_FULL, MDB_MAP_RESIZED, MDB_TXN_FULL: (.mapFull, "write less in one transaction")
    case MDB_READERS_FULL, MDB_TLS_FULL:
      (.readersFull, "close processes that read this store, then try again")
    case MDB_PANIC:
      (.io, "an earlier write failed on the device: close the store and open it again")
    default: (.io, "check the device and the system log")
    }
  }
}
