import Cairn
import EventLog
import Foundation
import HashTree
import LMDB
import TestSupport
import Testing

@Suite struct EvidenceTests {
  private static func fill(_ store: Store, _ count: Int) async throws {
    try await store.append((0..<count).map { index("item \($0)", title: "tram \($0)") })
  }

  @Test func `every event is proven in every tree that has it, and nowhere else`() async throws {
    try await withStore { store in
      try await Self.fill(store, 37)
      for size in UInt64(1)...37 {
        for sequence in UInt64(1)...size {
          let proof = try store.inclusionProof(of: sequence, size: size)
          #expect(proof.holds && proof.leafIndex == sequence - 1 && proof.treeSize == size)
          var other = proof
          other.leaf[8] ^= 1
          #expect(!other.holds)
        }
        for old in UInt64(1)...size {
          let proof = try store.consistencyProof(from: old, to: size)
          #expect(proof.holds)
          var other = proof
          other.newRoot = try #require(Hash32(bytes: proof.newRoot.bytes.map { ~$0 }))
          #expect(!other.holds)
        }
      }
      for (sequence, size) in [(0, nil), (38, nil), (5, 4), (5, 38), (0, 0)] as [(UInt64, UInt64?)]
      {
        expectError(.noSuchPoint) {
          try store.inclusionProof(of: sequence, size: size)
        }
      }
      for (old, new) in [(0, 5), (6, 5), (5, 38), (38, 39), (0, 0)] as [(UInt64, UInt64)] {
        expectError(.noSuchPoint) {
          try store.consistencyProof(from: old, to: new)
        }
      }
    }
  }

  @Test func `an erased event is proven with its leaf, by proofs old and new`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store, 20)
      let before = try store.inclusionProof(of: 7)
      store.close()
      let log = try EventLog.open(
        directory: directory + "/store", access: .readWrite, create: false,
        writer: WriterThread(name: "eraser"))
      _ = try log.erase([7], recording: EncodedEvent(kind: .purge, payload: [0xa0]))
      log.close()
      let again = try Store.open(at: directory + "/store", access: .readOnly)
      defer { again.close() }
      #expect(try again.inclusionProof(of: 7, size: 20) == before)
      let after = try again.inclusionProof(of: 7)
      #expect(after.holds && after.leaf == before.leaf && after.treeSize == 21)
      #expect(try again.consistencyProof(from: 20, to: 21).holds)
    }
  }

  @Test func `checkpoints keep one key and one name, and check with the verifier key alone`()
    async throws
  {
    try await withDirectory { directory in
      var store = try Store.open(at: directory + "/store")
      let empty = try store.checkpoint(origin: "example.com/log")
      #expect(empty.size == 0)
      let key = try store.verifierKey()
      #expect(key.hasPrefix("example.com/log+"))
      let trust = try TrustedKeys(logs: [key])
      var texts = [empty.text]
      for count in [1, 5, 20] {
        try await Self.fill(store, count)
        texts.append(try store.checkpoint().text)
      }
      store.close()
      store = try Store.open(at: directory + "/store")
      #expect(try store.verifierKey() == key)
      #expect(try store.checkpoint(at: 6).text == texts[2])
      for text in texts {
        let checked = try trust.checkpoint(Array(text.utf8))
        #expect(checked.text == text && checked.origin == "example.com/log")
        #expect(try store.continues(text))
        #expect(try store.verify(against: text).isSound)
      }
      #expect(try store.issuedCheckpoints().map(\.size) == [0, 1, 6, 26])
      #expect(try store.verify().checkpointCount == 4)
      expectError(.badArgument) {
        try store.checkpoint(origin: "example.com/other")
      }
      expectError(.noSuchPoint) { try store.checkpoint(at: 27) }
      store.close()

      let reader = try Store.open(at: directory + "/store", access: .readOnly)
      defer { reader.close() }
      #expect(try reader.verifierKey() == key)
      expectError(.readOnly) { try reader.checkpoint() }
    }
  }

  @Test func `a tree without events has one root, whoever signs another`() throws {
    let key = try SignerKey(randomFor: "log")
    let trust = try TrustedKeys(logs: [key.verifier.text])
    let sound = try Checkpoint(origin: "log", size: 0, root: HashTree.emptyRoot)
    #expect(try trust.checkpoint(Array(sound.signed(by: [key]).encoded.utf8)).size == 0)
    let forged = try Checkpoint(origin: "log", size: 0, root: HashTree.leaf([]))
    let bytes = Array(try forged.signed(by: [key]).encoded.utf8)
    expectError(.notVerified) { try trust.checkpoint(bytes) }
  }

  @Test func `the private key is its owner's, and a lost or foreign one is not replaced`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store/signer.key"
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try await Self.fill(store, 3)
      let key = try store.verifierKey()
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let secret = try String(contentsOfFile: path, encoding: .utf8)
      try FileManager.default.removeItem(atPath: path)
      expectError(.missing) { try store.checkpoint() }
      #expect(try store.verifierKey() == key)
      try "PRIVATE+KEY+nonsense\n".write(toFile: path, atomically: true, encoding: .utf8)
      expectError(.corrupt) { try store.checkpoint() }
      try secret.write(toFile: path, atomically: true, encoding: .utf8)
      let old = try store.checkpoint()
      let renewed = try store.renewSigningKey()
      #expect(renewed != key && renewed.prefix { $0 != "+" } == key.prefix { $0 != "+" })
      let new = try store.checkpoint()
      expectError(.notVerified) {
        try TrustedKeys(logs: [key]).checkpoint(Array(new.text.utf8))
      }
      #expect(try TrustedKeys(logs: [renewed, key]).checkpoint(Array(old.text.utf8)) == old)
      for _ in 0..<20 { _ = try store.renewSigningKey() }
      #expect(try store.continues(old.text))
      #expect(try store.continues(new.text))
      #expect(try store.verify(against: old.text).isSound)
      #expect(try store.verify().isSound)
    }
  }

  @Test func `a copy is a log of its own, and signs as one`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/one")
      try await Self.fill(store, 9)
      _ = try store.renewSigningKey()
      let renewed = try store.checkpoint()
      let key = try store.renewSigningKey()
      try store.copy(at: try store.at(.sequence(5)), into: directory + "/two")
      store.close()
      let copy = try Store.open(at: directory + "/two")
      defer { copy.close() }
      #expect(try copy.verify().problems == [])
      #expect(try copy.issuedCheckpoints().isEmpty)
      #expect(try copy.verifierKey() != key)
      expectError(.notVerified) { try copy.continues(renewed.text) }
      #expect(try copy.checkpoint().size == 5)
    }
  }

  @Test func `a proof file checks by itself, and nothing can be changed in it`() async throws {
    try await withStore { store in
      try await Self.fill(store, 29)
      let trust = try TrustedKeys(logs: [try store.verifierKey()])
      let bytes = Array(try store.offlineProof(of: 12).utf8)
      let proven = try trust.proof(bytes)
      #expect(proven.leafIndex == 11 && proven.checkpoint.size == 29)
      #expect(proven.leaf == (try store.inclusionProof(of: 12).leaf))
      var random = SeededGenerator(seed: 5)
      for _ in 0..<400 {
        var forged = bytes
        let place = Int.random(in: 0..<forged.count, using: &random)
        forged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        #expect(throws: CairnError.self, "byte \(place)") { try trust.proof(forged) }
      }
      expectError(.notVerified) { try trust.proof(bytes, leaf: [1, 2]) }
      let old = try store.checkpoint()
      try await Self.fill(store, 3)
      expectError(.noSuchPoint) {
        try store.offlineProof(of: 30, checkpoint: old.text)
      }
      expectError(.malformed) {
        try store.offlineProof(of: 30, checkpoint: "nothing")
      }
    }
  }
}

@Suite struct TilesTests {
  @Test(arguments: [0, 1, 255, 256, 257, 600])
  func `an export checks, grows by what is new, and shows every change`(count: Int) async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try await store.append((0..<count).map { index("i\($0)", title: "t") })
      let tiles = directory + "/tiles/log"
      let first = try store.exportTiles(into: tiles)
      #expect(first.checkpoint.size == UInt64(count))
      let trust = try TrustedKeys(logs: [try store.verifierKey()])
      try await store.append((0..<300).map { index("j\($0)", title: "t") })
      let second = try store.exportTiles(into: tiles)
      #expect(second.checkpoint.size == UInt64(count + 300))
      #expect(try trust.tiles(in: tiles) == second.checkpoint)
      #expect(try store.exportTiles(into: tiles).fileCount == 1)

      var random = SeededGenerator(seed: UInt64(count))
      let names = try FileManager.default.subpathsOfDirectory(atPath: tiles).sorted().filter {
        Self.isCurrent($0, size: count + 300)
      }
      for name in names {
        let url = URL(filePath: "\(tiles)/\(name)")
        let bytes = try Data(contentsOf: url)
        var forged = bytes
        forged[Int.random(in: 0..<bytes.count, using: &random)] ^= 4
        try forged.write(to: url)
        #expect(throws: CairnError.self, "\(name)") { try trust.tiles(in: tiles) }
        try FileManager.default.removeItem(at: url)
        #expect(throws: CairnError.self, "\(name)") { try trust.tiles(in: tiles) }
        try bytes.write(to: url)
      }
      #expect(names.count >= 3)
      #expect(try trust.tiles(in: tiles) == second.checkpoint)
    }
  }

  @Test func `an export that was killed or lost a tile is begun anew`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try await store.append((0..<300).map { index("i\($0)", title: "t") })
      let tiles = directory + "/tiles"
      let whole = try store.exportTiles(into: tiles)
      try FileManager.default.removeItem(atPath: tiles + "/tile/0/000")
      let lost = expectError(.notVerified) { try store.exportTiles(into: tiles) }
      #expect(lost?.message.contains("delete the checkpoint there") == true)
      try FileManager.default.removeItem(atPath: tiles + "/checkpoint")
      try Data("half".utf8).write(to: URL(filePath: tiles + "/tile/entries/000"))
      try Data().write(to: URL(filePath: tiles + "/checkpoint.new"))
      #expect(try store.exportTiles(into: tiles).fileCount == whole.fileCount)
      let trust = try TrustedKeys(logs: [try store.verifierKey()])
      #expect(try trust.tiles(in: tiles) == whole.checkpoint)
    }
  }

  @Test func `first exports at the same time follow each other`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try await store.append((0..<600).map { index("i\($0)", title: "t") })
      let tiles = directory + "/tiles"
      let sizes = try await withThrowingTaskGroup(of: UInt64.self) { group in
        for _ in 0..<4 {
          group.addTask { try store.exportTiles(into: tiles).checkpoint.size }
        }
        var sizes: [UInt64] = []
        for try await size in group { sizes.append(size) }
        return sizes
      }
      #expect(sizes == [600, 600, 600, 600])
      let trust = try TrustedKeys(logs: [try store.verifierKey()])
      #expect(try trust.tiles(in: tiles).size == 600)
    }
  }

  @Test func `an export waits for another one no longer than the store is patient`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store", patience: .milliseconds(200))
      defer { store.close() }
      try await store.append([index("a", title: "t")])
      let tiles = directory + "/tiles"
      _ = try store.exportTiles(into: tiles)
      let lock = try FileLock(directory: tiles)
      try lock.lock(wait: .zero)
      expectError(.busy) { try store.exportTiles(into: tiles) }
      lock.unlock()
      #expect(try store.exportTiles(into: tiles).fileCount == 1)
    }
  }

  /// Whether a file belongs to the tree of that size, rather than to a smaller one.
  private static func isCurrent(_ path: String, size: Int) -> Bool {
    if path == "checkpoint" { return true }
    let parts = path.split(separator: "/")
    guard parts.count >= 3, let last = parts.last, Int(last) != nil else { return false }
    guard parts[parts.count - 2].hasSuffix(".p") else { return parts.count == 3 }
    return String(last) == String((parts[1] == "1" ? size / 256 : size) % 256)
  }

  @Test func `a directory of anything else is left alone`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      let other = try Store.open(at: directory + "/other")
      defer { other.close() }
      try await store.append([index("a", title: "t")])
      try await other.append([index("a", title: "t")])
      _ = try other.exportTiles(into: directory + "/theirs")
      try FileManager.default.createDirectory(
        atPath: directory + "/full", withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: directory + "/full/notes"))
      for name in ["theirs", "full", "full/notes"] {
        expectError(.badArgument, "\(name)") {
          try store.exportTiles(into: "\(directory)/\(name)")
        }
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: directory + "/full")
      #expect(left == ["notes"])
    }
  }
}
