import Cairn
import Foundation
import Glibc

/// A purge of one domain beside a durable copy of the store's files.
struct PurgeBench {
  let store: String
  let domain: String

  func run() throws {
    let files = try Self.files(of: store)
    var copying = Samples()
    var flushed = Samples()
    for _ in 0..<3 {
      copying.time { for name in files { Self.copy("\(store)/\(name)", isDurable: false) } }
      flushed.time { for name in files { Self.copy("\(store)/\(name)", isDurable: true) } }
    }
    report("copy-micros", copying.median)
    report("durable-copy-micros", flushed.median)

    let opened = try Store.open(at: store)
    defer { opened.close() }
    var purging = Samples()
    try purging.time {
      let receipt = try opened.purge(.domain(domain))
      precondition(receipt?.isComplete == true && receipt?.residueByteCount == 0, "not complete")
      report("events", Double(receipt?.plan.eventCount ?? 0))
    }
    report("purge-micros", purging.median)
  }

  /// The log, and the projections that serve.
  private static func files(of store: String) throws -> [String] {
    let serving = try String(contentsOfFile: "\(store)/CURRENT", encoding: .utf8)
    let number = serving.prefix { $0.isNumber }
    precondition(!number.isEmpty, "the store has no projections")
    return ["log.mdb", "view-\(number).mdb"]
  }

  /// Copies a file within the system's cache, or to the disk.
  private static func copy(_ path: String, isDurable: Bool) {
    // SAFETY: the paths are NUL-ended copies for the time of the calls.
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    let target = unsafe open(path + ".copy", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(source >= 0 && target >= 0, "the store cannot be copied")
    defer {
      close(source)
      close(target)
      unsafe unlink(path + ".copy")
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      // SAFETY: reads and writes at most what the buffer holds.
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        unsafe read(source, buffer.baseAddress, buffer.count)
      }
      guard count > 0 else { break }
      let written = unsafe chunk.withUnsafeBytes { buffer in
        unsafe write(target, buffer.baseAddress, count)
      }
      precondition(written == count, "the disk is full")
    }
    if isDurable { precondition(fsync(target) == 0, "the copy did not reach the disk") }
  }
}
