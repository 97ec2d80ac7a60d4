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
  /// Its file holds no key, or another than the one that the store signs with.
  case damaged
  /// The store signed with a key that is not there.
  case missing
}

extension Store {
  /// How the private key is kept.
  /// - Returns: What its file says; who may not read it is not told of damage.
  /// - Complexity: O(1).
  /// - Throws: `io` when the file cannot be looked at; `corrupt` when the public key is damaged.
  /// - Note: Blocks the calling thread.
  public func signingKeyState() throws(CairnError) -> SigningKeyState {
    let identity = SigningIdentity(log: log)
    let known = try identity.verifier()
    let path = "\(directory)/\(SigningIdentity.fileName)"
    guard let status = FileStatus(path) else {
      guard errno == ENOENT else {
        throw CairnError.system(errno, "the private key cannot be looked at", path: path)
      }
      return known == nil ? .unused : .missing
    }
    do throws(CairnError) { _ = try identity.kept(known) } catch {
      if error.code == .corrupt { return .damaged }
      guard error.code == .readOnly else { throw error }
    }
    return status.isExposed ? .exposed : .kept
  }
}
