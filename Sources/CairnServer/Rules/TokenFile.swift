package import Cairn
import Files
import Glibc
import LMDB
import Rows

/// The tokens of a store: the one with all rights, and those that were handed out.
package struct TokenFile: Sendable {
  /// Holds the token with all rights.
  package let path: String
  /// Holds names, scopes and hashes of the others.
  let listPath: String
  private let lockPath: String
  /// The file of more could not be read.
  private static let countMax = 256

  package init(directory: String, path: String? = nil) {
    self.path = path ?? directory + "/serve.token"
    listPath = directory + "/serve.tokens"
    lockPath = directory + "/serve.tokens.lock"
  }

  /// The token with all rights; made when there is none.
  /// - Throws: `badArgument` when others than its owner may read it, or it is not ours.
  package func owner() throws(CairnError) -> String {
    if try SmallFile.byteCount(path) == nil {
      do throws(CairnError) {
        try SmallFile.replace(path, with: AccessToken.random() + "\n", isSecret: true)
      } catch {
        // The name of what was to take its place says nothing to who named the file.
        var told = error
        told.place = path
        throw told
      }
    }
    try Self.check(path)
    guard let text = try SmallFile.read(path)?.split(whereSeparator: \.isNewline).first
    else {
      throw CairnError(.badArgument, "holds no token; remove it to have one made", place: path)
    }
    guard text.utf8.count >= 32, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw CairnError(
        .badArgument,
        "holds a token that is too short or not printable; remove it to have one made",
        place: path)
    }
    return String(text)
  }

  /// A name of the store that says nothing about it; made when it is first asked for.
  static func deviceID(directory: String) throws(CairnError) -> String {
    let path = directory + "/serve.device"
    if let text = try SmallFile.read(path)?.split(whereSeparator: \.isNewline).first {
      return String(text)
    }
    let fresh = AccessToken.random()
    try SmallFile.replace(path, with: fresh + "\n", isSecret: true)
    return fresh
  }

  /// Refuses a file that others may read.
  private static func check(_ path: String) throws(CairnError) {
    guard let status = FileStatus(path) else {
      throw CairnError.system(errno, "cannot be looked at", path: path)
    }
    guard status.owner == geteuid() else {
      throw CairnError(
        .badArgument, "belongs to another user; chown it, or remove it to have one made",
        place: path)
    }
    guard !status.isExposed else {
      throw CairnError(
        .badArgument, "may be read by others than its owner; run: chmod 600 \(path)", place: path)
    }
  }

  /// The tokens that were handed out, by name.
  package func list() throws(CairnError) -> [AccessToken] {
    guard try SmallFile.byteCount(listPath) != nil else { return [] }
    try Self.check(listPath)
    return try read()
  }

  /// The same, whoever reads it: who may is no matter of what it holds.
  func read() throws(CairnError) -> [AccessToken] {
    guard let text = try SmallFile.read(listPath) else { return [] }
    var tokens: [AccessToken] = []
    for line in text.split(separator: "\n") {
      guard let members = JSONObject(json: line.utf8), let name = members["name"]?.string,
        let scope = members["scope"]?.string.flatMap(Scope.init),
        let bytes = members["hash"]?.string.flatMap({ Base64.decode($0) }),
        let time = members["created"]?.string.flatMap({ Timestamp(rfc3339: $0) })
      else { throw CairnError(.corrupt, "holds a line that is no token", place: listPath) }
      tokens.append(AccessToken(name: name, scope: scope, hash: bytes, created: time))
    }
    return tokens
  }

  /// Makes a token; its text is given once and kept by nobody.
  /// - Throws: `nameTaken`; `badArgument` for a name that is empty or not printable.
  package func add(_ name: String, _ scope: Scope) throws(CairnError) -> String {
    guard (1...64).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
    else { throw CairnError(.badArgument, "a token's name has 1 to 64 printable ASCII characters") }
    let text = AccessToken.random()
    try change { (tokens) throws(CairnError) in
      guard name != "owner", !tokens.contains(where: { $0.name == name }) else {
        throw CairnError(.nameTaken, "a token of that name exists; remove it first")
      }
      guard tokens.count < Self.countMax else {
        throw CairnError(.badArgument, "there are \(Self.countMax) tokens; remove one first")
      }
      tokens.append(
        AccessToken(name: name, scope: scope, hash: AccessToken.hash(text), created: .now()))
    }
    return text
  }

  /// Takes a token back; false when there is none of that name.
  package func remove(_ name: String) throws(CairnError) -> Bool {
    var isThere = false
    try change { tokens in
      isThere = tokens.contains { $0.name == name }
      tokens.removeAll { $0.name == name }
    }
    return isThere
  }

  private func change(_ body: (inout [AccessToken]) throws(CairnError) -> Void) throws(CairnError) {
    let lock = try FileLock(path: lockPath)
    try lock.lock(wait: .seconds(10))
    defer { lock.unlock() }
    var tokens = try list()
    try body(&tokens)
    var text: [UInt8] = []
    for token in tokens.sorted(by: { $0.name < $1.name }) {
      text += JSONLine.line { line in
        line.field("name", token.name)
        line.field("scope", token.scope.rawValue)
        line.field("hash", Base64.encode(token.hash))
        line.field("created", token.created.rfc3339)
      }
    }
    try SmallFile.replace(listPath, with: String(decoding: text, as: UTF8.self), isSecret: true)
  }
}

extension JSONLine {
  /// The fields of a token, without what would let anybody in.
  package mutating func fields(of token: AccessToken) {
    field("name", token.name)
    field("scope", token.scope.rawValue)
    field("created", token.created.rfc3339)
  }
}
