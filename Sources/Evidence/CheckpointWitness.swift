import Files
import HashTree
import LMDB
public import Values

/// Cosigns checkpoints of logs, and never two of one log that contradict each other.
///
/// Remembers, in a directory of its own, the largest tree that it has cosigned of each log, and
/// cosigns only what is shown to have grown out of it (C2SP tlog-witness). The directory holds
/// `witness.key`, readable by its owner alone, and `logs/<SHA-256 of the origin>/` with `keys`
/// and the last `checkpoint`; `logs` can be served as it is. Any number of processes may use one
/// directory.
public struct CheckpointWitness: Sendable {
  /// The witness's directory.
  public let directory: String
  let signer: SignerKey

  static let keyFile = "witness.key"

  /// A log that the witness knows.
  public struct KnownLog: Sendable, Hashable {
    /// The log's name for itself.
    public var origin: String
    /// How many events the tree had that was cosigned last; 0 for none yet.
    public var size: UInt64
    /// That tree's root.
    public var rootHash: Hash32
    /// Keys of the log that are trusted.
    public var verifierKeys: [String]
  }

  /// Opens a witness's directory.
  /// - Parameters:
  ///   - directory: Made, with a new key, where there is none and a name is given.
  ///   - name: The name of the witness's key, taken when the key is made and fixed from then on.
  /// - Throws: `missing` when there is no witness and no name to make one; `badArgument` for a
  ///   name that cannot be one or is another witness's.
  public init(at directory: String, name: String? = nil) throws(CairnError) {
    self.directory = directory
    signer = try Self.signer(name, in: directory)
    if let name, name != signer.verifier.name {
      throw CairnError(.badArgument, "the witness here has another name", place: directory)
    }
  }

  private static func signer(_ name: String?, in directory: String) throws(CairnError) -> SignerKey
  {
    if let key = try key(in: directory) { return key }
    guard let name else {
      throw CairnError(.missing, "no witness here", place: directory, remedy: .witnessKey)
    }
    try FileBytes.makeDirectory("\(directory)/logs")
    let lock = try lock(directory)
    defer { lock.unlock() }
    if let key = try key(in: directory) { return key }
    return try makeKey(name, in: directory)
  }

  /// The witness's public key, as others configure it (C2SP vkey, type 4).
  public var verifierKey: String { signer.verifier.text }

  private static func key(in directory: String) throws(CairnError) -> SignerKey? {
    guard let text = try SmallFile.read("\(directory)/\(keyFile)") else { return nil }
    let key = try trusting(keyFile) { () throws(CairnError) in
      try SignerKey(String(text.prefix { $0 != "\n" }))
    }
    guard key.verifier.algorithm == .cosignature else {
      throw CairnError(.corrupt, "is not the key of a witness", place: keyFile)
    }
    return key
  }

  private static func makeKey(_ name: String, in directory: String) throws(CairnError) -> SignerKey
  {
    let key = try SignerKey(randomFor: name, algorithm: .cosignature)
    try SmallFile.replace("\(directory)/\(keyFile)", with: key.privateText + "\n", isSecret: true)
    return key
  }

  /// Held while the state is read, decided upon and written: else a slower request could roll
  /// the witness back.
  static func lock(_ directory: String) throws(CairnError) -> FileLock {
    let lock = try FileLock(path: "\(directory)/lock")
    try lock.lock(wait: .seconds(10))
    return lock
  }
}

extension CheckpointWitness {
  /// Trusts a log's key from now on; the key's name is the log's origin.
  /// - Parameter verifierKey: The log's vkey.
  /// - Throws: `badArgument` when the text is no key of a log.
  public func trust(_ verifierKey: String) throws(CairnError) {
    let key = try VerifierKey(verifierKey)
    guard key.algorithm == .ed25519 else {
      throw CairnError(.badArgument, "the key belongs to a witness, not to a log")
    }
    let lock = try Self.lock(directory)
    defer { lock.unlock() }
    let file = WitnessedLog(witness: self, origin: key.name)
    let known = try file.keys()
    guard !known.contains(key) else { return }
    try FileBytes.makeDirectory(file.folder)
    let lines = (known + [key]).map { $0.text + "\n" }.joined()
    try SmallFile.replace(file.keysPath, with: lines)
  }

  /// The logs that the witness knows, by origin.
  /// - Throws: `corrupt` when what the witness keeps is damaged.
  public func logs() throws(CairnError) -> [KnownLog] {
    var logs: [KnownLog] = []
    for name in try SmallFile.names(in: "\(directory)/logs") {
      let file = WitnessedLog(witness: self, folderName: name)
      let keys = try file.keys()
      guard let origin = keys.first?.name else { continue }
      let latest = try file.latest() ?? .empty
      logs.append(
        KnownLog(
          origin: origin, size: latest.size, rootHash: latest.root, verifierKeys: keys.map(\.text)))
    }
    return logs.sorted { $0.origin.utf8.lexicographicallyPrecedes($1.origin.utf8) }
  }
}

struct WitnessedLog {
  let witness: CheckpointWitness
  let folder: String

  init(witness: CheckpointWitness, origin: String) {
    self.init(witness: witness, folderName: Witness.folder(of: origin))
  }

  init(witness: CheckpointWitness, folderName: String) {
    self.witness = witness
    folder = "\(witness.directory)/logs/\(folderName)"
  }

  var keysPath: String { "\(folder)/keys" }
  var checkpointPath: String { "\(folder)/checkpoint" }

  /// The log's trusted keys; none for a log that is not known.
  func keys() throws(CairnError) -> [VerifierKey] {
    guard let text = try SmallFile.read(keysPath) else { return [] }
    return try trusting("keys") { () throws(CairnError) in
      try text.split(separator: "\n").map { (line) throws(CairnError) in
        try VerifierKey(String(line))
      }
    }
  }

  /// The tree that was cosigned last.
  /// - Throws: `.corrupt` when the kept checkpoint does not carry the witness's own signature.
  func latest() throws(CairnError) -> Witness.Record? {
    guard let bytes = try FileBytes.read(checkpointPath, limit: 1 << 20) else { return nil }
    return try trusting("checkpoint") { () throws(CairnError) in
      let note = try SignedNote(encoded: bytes)
      _ = try note.verified(by: [witness.signer.verifier])
      let checkpoint = try Checkpoint(text: note.text)
      return Witness.Record(size: checkpoint.size, root: checkpoint.root)
    }
  }
}
