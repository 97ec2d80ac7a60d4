import Cairn
import Foundation
import TestSupport
import Testing

@Suite struct `A witness` {
  /// A log, a fork of it from some size on, and a witness that trusts it.
  private struct Scene {
    let directory: String
    let witness: CheckpointWitness

    init(_ directory: String) throws {
      self.directory = directory
      witness = try CheckpointWitness(at: directory + "/witness", name: "example.com/witness")
    }

    func store(_ name: String = "store") throws -> Store {
      try Store.open(at: "\(directory)/\(name)")
    }

    func ask(_ request: String) throws -> CheckpointWitness.Answer {
      try witness.cosign(Array(request.utf8))
    }

    /// The size cosigned, or the status of the refusal.
    func outcome(_ request: String) throws -> (size: UInt64?, status: Int) {
      switch try ask(request) {
      case .cosigned(let checkpoint, _): (checkpoint.size, 200)
      case .refused(let refusal): (refusal.latestSize, refusal.status)
      }
    }
  }

  private static func fill(_ store: Store, _ count: Int, _ name: String = "item") async throws {
    try await store.append((0..<count).map { index("\(name) \($0)", title: "t") })
  }

  @Test func `cosigns a log as it grows, and the signature checks beside the log's`() async throws {
    try await withDirectory { directory in
      let scene = try Scene(directory)
      let store = try scene.store()
      defer { store.close() }
      try await Self.fill(store, 5)
      #expect(try scene.outcome(try store.witnessRequest(since: 0)).status == 404)
      let key = try store.verifierKey()
      try scene.witness.trust(key)
      try scene.witness.trust(key)
      var size: UInt64 = 0
      for step in 0..<6 {
        let request = try store.witnessRequest(since: size)
        guard case .cosigned(let checkpoint, let signature) = try scene.ask(request) else {
          Issue.record("step \(step) was refused")
          return
        }
        size = checkpoint.size
        let trust = try TrustedKeys(logs: [key], witnesses: [scene.witness.verifierKey], quorum: 1)
        let text = try store.checkpoint().text
        expectError(.notVerified) { try trust.checkpoint(Array(text.utf8)) }
        let cosigned = Array((text + signature).utf8)
        #expect(try trust.checkpoint(cosigned).size == size)
        let file = try store.offlineProof(
          of: size, checkpoint: String(decoding: cosigned, as: UTF8.self))
        #expect(try trust.proof(Array(file.utf8)).leafIndex == size - 1)
        if step % 2 == 0 { try await Self.fill(store, step * 3 + 1) }
      }
      let logs = try CheckpointWitness(at: directory + "/witness").logs()
      #expect(logs.map(\.size) == [size])
      #expect(logs.first?.verifierKeys == [key])
      let mode = try FileManager.default.attributesOfItem(
        atPath: directory + "/witness/witness.key")[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `refuses a log that was rolled back, forked, or proves nothing`() async throws {
    try await withDirectory { directory in
      let scene = try Scene(directory)
      let store = try scene.store()
      try await Self.fill(store, 10)
      try scene.witness.trust(try store.verifierKey())
      _ = try store.checkpoint()
      store.close()
      // The directory as it is now, key included, is what an attacker puts back later.
      try FileManager.default.copyItem(atPath: directory + "/store", toPath: directory + "/older")
      let grown = try scene.store()
      try await Self.fill(grown, 10)
      let first = try grown.witnessRequest(since: 0)
      #expect(try scene.outcome(first) == (20, 200))
      grown.close()

      // Rolled back: the older state, with its honest older checkpoint.
      let older = try scene.store("older")
      #expect(try scene.outcome(try older.witnessRequest(since: 0)) == (20, 409))
      #expect(try scene.outcome(try older.witnessRequest(since: 10)) == (20, 409))
      // Forked at the same size, then beyond it.
      try await Self.fill(older, 10, "other")
      #expect(try scene.outcome(try older.witnessRequest(since: 20)) == (nil, 422))
      try await Self.fill(older, 5, "other")
      #expect(try scene.outcome(try older.witnessRequest(since: 20)) == (nil, 422))
      older.close()

      // A proof that is skipped, cut short, from elsewhere, or not wanted.
      let again = try scene.store()
      defer { again.close() }
      try await Self.fill(again, 13)
      let right = try again.witnessRequest(since: 20)
      let lines = right.split(separator: "\n", omittingEmptySubsequences: false)
      let blank = try #require(lines.firstIndex(of: ""))
      #expect(blank > 2)
      func join(_ head: [Substring]) -> String { (head + lines[blank...]).joined(separator: "\n") }
      #expect(try scene.outcome(join(["old 20"])).status == 422)
      #expect(try scene.outcome(join(Array(lines[..<(blank - 1)]))).status == 422)
      #expect(try scene.outcome(join(["old 20"] + lines[1..<blank].reversed())).status == 422)
      #expect(try scene.outcome(join(["old 0"])) == (20, 409))
      #expect(try scene.outcome(join(["old 34"])).status == 400)
      #expect(try scene.outcome("old 20").status == 400)
      #expect(try scene.outcome(right.replacing("\n33\n", with: "\n34\n")).status == 403)
      // Nothing of all that moved the witness.
      #expect(try scene.witness.logs().map(\.size) == [20])
      #expect(try scene.outcome(right) == (33, 200))
      #expect(try scene.outcome(right) == (33, 409))
      #expect(try scene.outcome(first) == (33, 409))
    }
  }

  @Test func `signs nothing when what it remembers was changed`() async throws {
    try await withDirectory { directory in
      let scene = try Scene(directory)
      let store = try scene.store()
      defer { store.close() }
      try await Self.fill(store, 4)
      try scene.witness.trust(try store.verifierKey())
      #expect(try scene.outcome(try store.witnessRequest(since: 0)).status == 200)
      let folder = try #require(
        try FileManager.default.contentsOfDirectory(atPath: directory + "/witness/logs").first)
      let path = "\(directory)/witness/logs/\(folder)/checkpoint"
      let kept = try String(contentsOfFile: path, encoding: .utf8)
      try kept.replacing("\n4\n", with: "\n3\n").write(
        toFile: path, atomically: true, encoding: .utf8)
      expectError(.corrupt) {
        try scene.witness.cosign(Array(try store.witnessRequest(since: 3).utf8))
      }
      expectError(.corrupt) { try scene.witness.logs() }
    }
  }

  @Test func `lets one of many requests from the same size through`() async throws {
    try await withDirectory { directory in
      let scene = try Scene(directory)
      let store = try scene.store()
      defer { store.close() }
      try await Self.fill(store, 8)
      try scene.witness.trust(try store.verifierKey())
      #expect(try scene.outcome(try store.witnessRequest(since: 0)).status == 200)
      try await Self.fill(store, 8)
      let request = try store.witnessRequest(since: 8)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try scene.outcome(request).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 7))
    }
  }

  @Test func `has one name, and is not made by asking`() throws {
    try TestDirectory.with { directory in
      let path = directory + "/witness"
      expectError(.missing) { try CheckpointWitness(at: path) }
      #expect(!FileManager.default.fileExists(atPath: path))
      for name in ["", "with space", "with+plus"] {
        expectError(.badArgument) {
          try CheckpointWitness(at: path, name: name)
        }
      }
      let key = try CheckpointWitness(at: path, name: "one").verifierKey
      #expect(try CheckpointWitness(at: path).verifierKey == key)
      expectError(.badArgument) { try CheckpointWitness(at: path, name: "two") }
      expectError(.badArgument) { try CheckpointWitness(at: path).trust(key) }
    }
  }
}
