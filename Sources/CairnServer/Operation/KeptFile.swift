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

/// What a server keeps beside the log.
private enum KeptKind: CaseIterable {
  case consumers
  case buckets
  case rules
  case settings
  case tokens

  /// Reads it as the server does.
  func read(in directory: String) throws(CairnError) {
    switch self {
    case .consumers: _ = try ConsumerTable(directory: directory)
    case .buckets: _ = try BucketFile(directory: directory).read()
    case .rules: _ = try WatchRules(directory: directory)
    case .settings: _ = try WatchSettings(directory: directory).read()
    case .tokens: _ = try TokenFile(directory: directory).read()
    }
  }
}

extension Verification {
  /// Adds what is wrong with what a server was told, which stands beside the log.
  package mutating func addKeptFiles(of directory: String) {
    for kind in KeptKind.allCases {
      do throws(CairnError) { try kind.read(in: directory) } catch {
        problems.append(Problem(error, in: directory))
      }
    }
  }
}
