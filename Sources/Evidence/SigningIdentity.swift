package import EventLog
import Files
package import HashTree
import Values

/// Who a store signs as: its origin and key, which stay for the store's life.
///
/// The public half is a row of the log's metadata, so that it comes along with a backup; the
/// private half is the file `signer.key`, readable by its owner alone, and is copied nowhere.
package struct SigningIdentity {
  private let log: EventLog

  package static let fileName = "signer.key"
  private static let row = "signer"
  private static let earlierRows = "signer/"
  /// Bytes of an origin: the verifier key with it has to fit a row of metadata.
  private static let originByteCountMax = 1_024

  package init(log: EventLog) { self.log = log }

  private var path: String { "\(log.directory)/\(Self.fileName)" }

  /// The public key, or nil when nothing was ever signed.
  package func verifier() throws(CairnError) -> VerifierKey? { try verifier(in: Self.row) }

  private func verifier(in row: String) throws(CairnError) -> VerifierKey? {
    guard let text = try log.metadata(row) else { return nil }
    return try trusting(EventLog.metadataPlace) { () throws(CairnError) in
      try VerifierKey(String(decoding: text, as: UTF8.self))
    }
  }

  /// The public keys that checkpoints of this log may be signed with: the one that signs now first,
  /// then those it took the place of.
  package func verifiers() throws(CairnError) -> [VerifierKey] {
    guard let current = try verifier() else { return [] }
    var keys = [current]
    for row in try earlierRows() {
      // A crash may have come between noting the old key and making the new one.
      if let key = try verifier(in: row), key != current { keys.append(key) }
    }
    return keys
  }

  /// The private key, which is made when there never was one, with this or a random origin.
  ///
  /// Under the writer lock.
  /// - Throws: `.missing` when the key that the store signed with is gone, `.corrupt` when the
  ///   file holds another, `.badArgument` for an origin that cannot be one or is not the store's.
  package func signer(origin: String?) throws(CairnError) -> SignerKey {
    let known = try verifier()
    if let origin, let known, known.name != origin {
      throw CairnError(
        .badArgument,
        "the store has another origin since its first checkpoint", remedy: .origin)
    }
    if let key = try kept(known) {
      guard known == nil else { return key }
      // A crash came between the file and the row.
      try remember(key.verifier)
      return try signer(origin: origin)
    }
    guard known == nil else {
      throw CairnError(
        .missing, "the store's private key is not here", place: Self.fileName, remedy: .newKey)
    }
    return try make(origin ?? Self.randomOrigin())
  }

  /// The private key in the file.
  /// - Parameter known: The public key that the store signs with, where it has one.
  /// - Returns: Nil when there is no file.
  /// - Throws: `.corrupt` when the file holds no key or another, `.readOnly` when it may not be
  ///   read.
  package func kept(_ known: VerifierKey?) throws(CairnError) -> SignerKey? {
    guard let text = try SmallFile.read(path) else { return nil }
    // Whatever is wrong with it, the right one or a new one has to take its place.
    guard let key = try? SignerKey(String(text.prefix { $0 != "\n" })),
      known == nil || key.verifier == known
    else {
      throw CairnError(
        .corrupt, "is damaged, or is not the key that this store signs with",
        place: Self.fileName, remedy: .newKey)
    }
    return key
  }

  /// Replaces the key by a new one of the same name; what the old one signed still counts.
  ///
  /// Under the writer lock.
  package func renew() throws(CairnError) -> SignerKey {
    // A key that is not remembered has signed nothing.
    guard let known = try verifier() else { return try make(Self.randomOrigin()) }
    let row = Self.earlierRows + String(known.id, radix: 16)
    try log.setMetadata(Array(known.text.utf8), for: row)
    return try make(known.name)
  }

  /// Forgets who signed: for a copy, which is a log of its own.
  package func forget() throws(CairnError) {
    try log.setMetadata(nil, for: Self.row)
    for row in try earlierRows() { try log.setMetadata(nil, for: row) }
    try log.removeIssuedHeads()
  }

  private func earlierRows() throws(CairnError) -> [String] {
    try log.metadataKeys().filter { $0.hasPrefix(Self.earlierRows) }
  }

  /// Writes the private key before the public one: what is remembered can be signed with.
  private func make(_ name: String) throws(CairnError) -> SignerKey {
    guard name.utf8.count <= Self.originByteCountMax else {
      throw CairnError(
        .badArgument, "an origin has at most \(Self.originByteCountMax) bytes; give a shorter one")
    }
    let key = try SignerKey(randomFor: name)
    try SmallFile.replace(path, with: key.privateText + "\n", isSecret: true)
    try remember(key.verifier)
    return key
  }

  private func remember(_ key: VerifierKey) throws(CairnError) {
    try log.setMetadata(Array(key.text.utf8), for: Self.row)
  }

  /// A name that no other store has: 64 random bits.
  private static func randomOrigin() -> String {
    "cairn/" + String(UInt64.random(in: .min ... .max), radix: 16, digits: 16)
  }
}
