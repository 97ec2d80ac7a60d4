import Cairn
import Cryptography
import Glibc

/// Proofs out of a store, and its verification beside hashing the bytes of its files.
struct EvidenceBench {
  let store: String

  private static let proofs = 2_000

  func run() throws {
    let store = try Store.open(at: store, access: .readOnly)
    defer { store.close() }
    let head = try store.at().sequence
    var state: UInt64 = 11
    func draw() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + (state >> 20) % head
    }
    var inclusion = Samples()
    var consistency = Samples()
    for _ in 0..<Self.proofs {
      let (one, two) = (draw(), draw())
      try inclusion.time { _ = try store.inclusionProof(of: min(one, two), size: max(one, two)) }
      try consistency.time {
        _ = try store.consistencyProof(from: min(one, two), to: max(one, two))
      }
    }
    report("inclusion-micros", inclusion.median)
    report("consistency-micros", consistency.median)

    var verification = Samples()
    var hashing = Samples()
    var byteCount = 0
    for _ in 0..<3 {
      try verification.time {
        let found = try store.verify()
        precondition(found.isSound && found.treeSize == head, "the store is not sound")
      }
      hashing.time { byteCount = Self.hashFiles(in: self.store) }
    }
    report("bytes", Double(byteCount))
    report("verify-micros", verification.median)
    report("hash-micros", hashing.median)
  }

  /// SHA-256 of the data files, one after the other on one thread; returns their bytes.
  private static func hashFiles(in directory: String) -> Int {
    var sum = 0
    for name in ["log.mdb", "view-1.mdb"] {
      // SAFETY: the path is a NUL-ended copy for the time of the call.
      let file = unsafe open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
      precondition(file >= 0, "the store has no \(name)")
      defer { close(file) }
      var hasher = SHA256()
      var chunk = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        // SAFETY: reads at most what the buffer holds.
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
          unsafe read(file, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { break }
        sum += count
        unsafe chunk.withUnsafeBytes { buffer in
          // SAFETY: the bytes that were just read.
          hasher.add(
            unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        }
      }
      _ = hasher.finish()
    }
    return sum
  }
}
