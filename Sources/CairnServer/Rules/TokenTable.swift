import Cryptography
import Files
import Glibc
import Synchronization
package import Values

/// Who a request comes from.
package struct Identity: Sendable, Hashable {
  /// The token's name, as it stands in the log; never the token.
  package var name: String
  package var scope: Scope
  /// The hash of the token, which another one of its name has not; empty where none was shown.
  var hash: [UInt8] = []
  /// The cookie that showed it, which a logout ends; nil for a token itself.
  var cookie: String?
}

extension Identity {
  init(_ token: AccessToken) { self.init(name: token.name, scope: token.scope, hash: token.hash) }
}

/// The tokens that a running server accepts; one that is taken back counts for a second at most.
package final class TokenTable: Sendable {
  private struct State {
    var owner = AccessToken(name: "owner", scope: .admin, hash: [], created: .now())
    /// Signs cookies, and is not the token that it is made of.
    var cookieKey: [UInt8] = []
    var tokens: [AccessToken] = []
    var status: FileStatus?
    var checked = ContinuousClock.now
    var isStale = true
    /// Cookies that were logged out, with their own ends in microseconds since 1970.
    var loggedOut: [String: Int64] = [:]
  }

  private let file: TokenFile
  private let state = Mutex(State())

  private static let checkInterval = Duration.milliseconds(500)
  private static let cookieMicroseconds: Int64 = 30 * 86_400 * 1_000_000
  /// Who logs out more often holds the token, and needs no cookie.
  private static let loggedOutMax = 4_096
  package static let cookieName = "cairn"

  /// - Throws: What ``TokenFile/owner()`` and ``TokenFile/list()`` throw.
  package init(_ file: TokenFile) throws(CairnError) {
    self.file = file
    try reload()
  }

  /// Reads the files anew with the next request.
  package func forget() { state.withLock { $0.isStale = true } }

  /// Who a token belongs to; nil for none that is known.
  /// - Throws: When the file cannot be read: nobody is let in by an old one.
  package func identity(of token: String) throws(CairnError) -> Identity? {
    let hash = AccessToken.hash(token)
    func isIt(_ token: AccessToken) -> Bool { AccessToken.isEqual(token.hash, hash) }
    if let known = try self.token(where: isIt) { return Identity(known) }
    // One that was just handed out counts at once.
    try reload()
    return try self.token(where: isIt).map { Identity($0) }
  }

  /// Whether the token is there still, and its cookie was not logged out.
  /// - Throws: When the file cannot be read.
  func knows(_ identity: Identity) throws(CairnError) -> Bool {
    if let cookie = identity.cookie, isLoggedOut(cookie) { return false }
    return try token { $0.hash == identity.hash && $0.scope == identity.scope } != nil
  }

  /// The token for which something holds; whose store it is gets in whatever became of the others.
  private func token(where isIt: (AccessToken) -> Bool) throws(CairnError) -> AccessToken? {
    do throws(CairnError) { return try tokens().first(where: isIt) } catch {
      let owner = state.withLock { $0.owner }
      guard isIt(owner) else { throw error }
      return owner
    }
  }

  /// Why the tokens that were handed out let nobody in; nil as long as they do.
  var problem: Refusal? {
    do throws(CairnError) {
      _ = try tokens()
      return nil
    } catch {
      return Refusal(503, "corrupt", "tokens let nobody in but the owner: \(error.message)")
    }
  }

  /// Every token's name, scope and time, the owner's first.
  package func tokens() throws(CairnError) -> [AccessToken] {
    let mustLook = state.withLock { state in
      let now = ContinuousClock.now
      guard state.isStale || now - state.checked > Self.checkInterval else { return false }
      state.checked = now
      return true
    }
    if mustLook { try reload() }
    return state.withLock { [$0.owner] + $0.tokens }
  }

  /// Whose store it is.
  package var owner: Identity { Identity(state.withLock { $0.owner }) }

  private func reload() throws(CairnError) {
    let status = FileStatus(file.listPath)
    let isKnown = state.withLock { state in
      // Nobody is let in by what was read before, where the file cannot be read now.
      state.isStale = state.isStale || state.status != status
      return !state.isStale
    }
    guard !isKnown else { return }
    let text = try file.owner()
    let hash = AccessToken.hash(text)
    let key = HMAC.code(of: Array("cairn cookie".utf8), key: Array(text.utf8)).bytes
    state.withLock { state in
      if state.owner.hash != hash {
        state.owner = AccessToken(name: "owner", scope: .admin, hash: hash, created: .now())
      }
      state.cookieKey = key
    }
    let tokens = try file.list()
    state.withLock { state in
      state.tokens = tokens
      state.status = status
      state.isStale = false
    }
  }

  // MARK: Cookies

  /// A cookie's value for somebody who showed a token: until when, whose, and a code over both and
  /// the token, so that another one of its name does not let it in.
  package func cookie(for identity: Identity) -> String {
    let claim = "\(Timestamp.now().microseconds + Self.cookieMicroseconds).\(identity.name)"
    return "\(claim).\(code(claim, identity.hash))"
  }

  /// Who a cookie belongs to; nil when it is forged, over or logged out, or the token was taken
  /// back.
  package func identity(ofCookie value: String) throws(CairnError) -> Identity? {
    guard let (end, token) = try claim(of: value), Timestamp.now().microseconds < end,
      !isLoggedOut(value)
    else { return nil }
    var identity = Identity(token)
    identity.cookie = value
    return identity
  }

  /// Ends a cookie, wherever it was copied to.
  func logOut(cookie value: String) throws(CairnError) {
    guard let (end, _) = try claim(of: value) else { return }
    let now = Timestamp.now()
    state.withLock { state in
      state.loggedOut = state.loggedOut.filter { $0.value > now.microseconds }
      if state.loggedOut.count >= Self.loggedOutMax,
        let first = state.loggedOut.min(by: { $0.value < $1.value })
      {
        state.loggedOut[first.key] = nil
      }
      state.loggedOut[value] = end
    }
  }

  private func isLoggedOut(_ cookie: String) -> Bool {
    state.withLock { $0.loggedOut[cookie] != nil }
  }

  /// Until when a cookie is good, in microseconds since 1970, and by which token; nil for a forged
  /// one.
  private func claim(of cookie: String) throws(CairnError) -> (end: Int64, token: AccessToken)? {
    guard let dot = cookie.lastIndex(of: ".") else { return nil }
    let claim = String(cookie[..<dot])
    let given = Array(cookie[cookie.index(after: dot)...].utf8)
    guard let first = claim.firstIndex(of: "."), let end = Int64(claim[..<first]) else {
      return nil
    }
    let name = claim[claim.index(after: first)...]
    guard let token = try self.token(where: { $0.name == name }),
      AccessToken.isEqual(Array(code(claim, token.hash).utf8), given)
    else { return nil }
    return (end, token)
  }

  private func code(_ claim: String, _ hash: [UInt8]) -> String {
    let key = state.withLock { $0.cookieKey }
    return AccessToken.base64URL(HMAC.code(of: Array(claim.utf8) + hash, key: key).bytes)
  }
}
