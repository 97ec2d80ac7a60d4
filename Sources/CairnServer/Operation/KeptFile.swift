package import Cairn
import Files

/// A file of the store in which the server keeps something, never larger than it is read again.
struct KeptFile: Sendable {
  let path: String
  let byteCountMax: Int

  /// - Throws: `corrupt` for one that is too large; what the disk says.
  func read() throws(CairnError) -> [UInt8]? { try FileBytes.read(path, limit: byteCountMax) }

  /// Puts bytes in place of what it holds, on disk when it returns.
  func replace(with bytes: [UInt8]) throws(CairnError) {
    guard bytes.count <= byteCountMax else {
      throw CairnError(
        .badArgument,
        "all of these together have at most \(byteCountMax) bytes; remove some first")
    }
    try SmallFile.replace(path, with: bytes, isSecret: true)
  }
}

extension Verification {
  /// Adds what is wrong with what a server was told, which stands beside the log.
  package mutating func addKeptFiles(of directory: String) {
    add(directory) { () throws(CairnError) in _ = try ConsumerTable(directory: directory) }
    add(directory) { () throws(CairnError) in _ = try BucketFile(directory: directory).read() }
    add(directory) { () throws(CairnError) in _ = try WatchRules(directory: directory) }
    add(directory) { () throws(CairnError) in _ = try WatchSettings(directory: directory).read() }
    add(directory) { () throws(CairnError) in _ = try TokenFile(directory: directory).read() }
  }

  /// Adds what keeps a file from being read as the server reads it.
  private mutating func add(_ directory: String, _ read: () throws(CairnError) -> Void) {
    do throws(CairnError) { try read() } catch { problems.append(Problem(error, in: directory)) }
  }
}
