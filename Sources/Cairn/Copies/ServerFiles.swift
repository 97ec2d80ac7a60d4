import Files
import LMDB

/// Files of a store that a server keeps beside the log.
package enum ServerFiles {
  /// A folder for what requests need for a while: bodies that are too large for memory, copies of
  /// databases.
  package static let scratch = "serve.scratch"
  /// Held by the one server of a store.
  package static let lock = "serve.lock"

  /// What the owner wrote there and would miss.
  ///
  /// Consumers, buckets of watchers, rules and settings. Tokens are not among them: who finds a
  /// copy must not get in.
  static let kept = ["serve.consumers", "serve.buckets", "serve.rules", "serve.settings"]
  private static let byteCountMax = 16 << 20
  /// Keys of what nobody typed.
  private static let made: Set = ["created", "hash", "scope"]

  /// Consumers of the feed one of whose texts is meant: by its key, its own name or what it filters
  /// by.
  static func consumers(
    of directory: String, where isMeant: (_ key: String, _ text: String) -> Bool
  ) throws(CairnError) -> [String] {
    let path = "\(directory)/serve.consumers"
    guard let bytes = try FileBytes.read(path, limit: byteCountMax) else { return [] }
    var found: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // Of a line that is none the server tells, which reads the file when it starts.
      guard let members = JSONObject(json: line), let name = members["consumer"]?.string
      else { continue }
      if members.contains(where: { $0.value.holds(of: $0.key, isMeant) }) { found.append(name) }
    }
    return found
  }

  /// The files one of whose texts is meant, by its key or as a key.
  ///
  /// Consumers are told one by one instead.
  static func naming(
    in directory: String, where isMeant: (_ key: String, _ text: String) -> Bool
  ) throws(CairnError) -> [String] {
    var found: [String] = []
    for name in ["serve.buckets", "serve.rules", "serve.settings", "serve.tokens"] {
      guard let bytes = try FileBytes.read("\(directory)/\(name)", limit: byteCountMax) else {
        continue
      }
      // Of a line that is none the server tells, which reads the file when it starts.
      let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { JSONObject(json: $0) }
      // Keys of settings are somebody's own; those of the others, and what is made here, are ours.
      let hasOwnKeys = name == "serve.settings"
      func isGiven(_ key: String, _ text: String) -> Bool {
        guard key.isEmpty ? hasOwnKeys : !made.contains(key) else { return false }
        return isMeant(key, text)
      }
      if lines.contains(where: { JSONValue.object($0).holds(of: "", isGiven) }) {
        found.append(name)
      }
    }
    return found
  }

  /// Copies what the owner would miss, each file as it is at one moment.
  static func copy(from directory: String, to other: String) throws(CairnError) {
    for name in kept {
      guard let bytes = try FileBytes.read("\(directory)/\(name)", limit: byteCountMax) else {
        continue
      }
      try SmallFile.replace("\(other)/\(name)", with: bytes, isSecret: true)
    }
  }

  /// Removes what a server that was killed left in its scratch folder.
  /// - Throws: What the disk says.
  package static func clearScratch(of directory: String) throws(CairnError) {
    try SmallFile.removeTree("\(directory)/\(scratch)")
  }

  /// The same, unless a server runs: it removed what the last one left, and what is there now
  /// belongs to its requests.
  static func clearLeftScratch(of directory: String) throws(CairnError) {
    guard FileStatus("\(directory)/\(scratch)", followsLinks: false) != nil else { return }
    let held = try FileLock(path: "\(directory)/\(lock)")
    guard try held.tryLock() else { return }
    defer { held.unlock() }
    try clearScratch(of: directory)
  }
}

extension JSONValue {
  /// Whether it is a meant text, or has one in it.
  fileprivate func holds(of key: String, _ isMeant: (String, String) -> Bool) -> Bool {
    switch self {
    case .string(let text): isMeant(key, text)
    case .array(let values): values.contains { $0.holds(of: key, isMeant) }
    case .object(let members):
      members.contains { isMeant("", $0.key) || $0.value.holds(of: $0.key, isMeant) }
    case .null, .bool, .number: false
    }
  }
}
