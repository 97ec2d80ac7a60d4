import EventLog
import Files
import Glibc
import LMDB

/// How the private key of a store is kept.
public enum SigningKeyState: Sendable, Hashable {
  /// Nothing was ever signed.
  case unused
  /// It is there, for its owner alone.
  case kept
  /// Others than its owner may read or replace it.
  case exposed
  /// The store signed with a key that is not there.
  case missing
}

extension Store {
  /// How the private key is kept; it is not read.
  /// - Returns: What its file says.
  /// - Complexity: O(1).
  /// - Throws: `io` when the file cannot be looked at; `corrupt` when the public key is damaged.
  /// - Note: Blocks the calling thread.
  public func signingKeyState() throws(CairnError) -> SigningKeyState {
    let path = "\(directory)/\(SigningIdentity.fileName)"
    guard let status = FileStatus(path) else {
      guard errno == ENOENT else {
        throw CairnError.system(errno, "the private key cannot be looked at", path: path)
      }
      return try SigningIdentity(log: log).verifier() == nil ? .unused : .missing
    }
    return status.isExposed ? .exposed : .kept
  }
}
