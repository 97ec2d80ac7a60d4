import Files
import Glibc

/// What importers suppose of files that do not say where they are from.
package enum LocalMachine {
  /// The name of this machine; `localhost` where the system tells none.
  package static let name: String = {
    var buffer = [UInt8](repeating: 0, count: 256)
    // SAFETY: the call writes at most what it is told, so that the last byte stays zero.
    let status = unsafe buffer.withUnsafeMutableBytes { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return -1 }
      return unsafe gethostname(base.assumingMemoryBound(to: CChar.self), bytes.count - 1)
    }
    let name = String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    return status == 0 && !name.isEmpty ? name : "localhost"
  }()

  /// The name up to its first dot, as importers tell machines apart.
  package static let shortName: String = {
    let short = name.prefix { $0 != "." }
    return short.isEmpty ? "localhost" : String(short)
  }()

  /// Where the user is at home, without a slash at its end; `/` where the environment tells none.
  package static let home: String = {
    var home = Variables.get("HOME") ?? ""
    while home.last == "/" { home.removeLast() }
    return home.isEmpty ? "/" : home
  }()
}
