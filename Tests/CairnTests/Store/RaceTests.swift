import Cairn
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// Eight processes change the store's small values at once: what was acknowledged is there, once.
///
/// Short by default; `CAIRN_RACES=200` does as many rounds as the promise says.
@Suite struct RaceTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["CAIRN_RACES"].flatMap { Int($0) } ?? 3
  private static let processes = 8

  /// What one process was answered, one word and value a line.
  private struct Answers {
    var lines: [String] = []

    mutating func add(_ word: String, _ value: some CustomStringConvertible) {
      lines.append("\(word) \(value)")
    }

    static func read(_ directory: String) throws -> [String: [String]] {
      var answers: [String: [String]] = [:]
      for process in 0..<processes {
        let text = try String(contentsOfFile: "\(directory)/answers-\(process)", encoding: .utf8)
        for line in text.split(separator: "\n") {
          let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
          answers[parts[0], default: []].append(parts[1])
        }
      }
      return answers
    }
  }

  private static func run(_ process: Int, rounds: Int, in directory: String) throws {
    let store = try Store.open(at: directory + "/store", patience: .seconds(600))
    let own = try Store.open(at: directory + "/log-\(process)", patience: .seconds(600))
    var answers = Answers()
    for round in 0..<rounds {
      let name = "p\(process)-r\(round)"
      let number = try store.addRetentionRule(
        RetentionRule(domain: name, keeping: .days(round + 1)))
      answers.add("rule", "\(number) \(name)")
      if round % 3 == 2, try store.removeRetentionRule(number) { answers.add("removed", number) }
      try store.createSnapshot(name)
      answers.add("snapshot", name)
      do throws(CairnError) {
        try store.createSnapshot("shared-\(round)")
        answers.add("shared", round)
      } catch { guard error.code == .nameTaken else { throw error } }
      if round % 2 == 1, try store.deleteSnapshot("p\(process)-r\(round - 1)") {
        answers.add("deleted", "p\(process)-r\(round - 1)")
      }
      _ = try store.purge(.item("item-\(name)"), blocking: true)
      answers.add("blocked", "item-\(name)")
      if round % 2 == 1, try store.unblock(.item("item-p\(process)-r\(round - 1)")) {
        answers.add("unblocked", "item-p\(process)-r\(round - 1)")
      }
      try store.appendBlocking([index("kept-\(name)", title: name)])
      answers.add("key", try store.verifierKey())
      let checkpoint = try store.checkpoint()
      answers.add("signed", checkpoint.size)
      let witness = try CheckpointWitness(at: directory + "/witness", name: "witness.example")
      answers.add("witness", witness.verifierKey)
      let trusted = try own.renewSigningKey()
      try witness.trust(trusted)
      answers.add("trusted", trusted)
    }
    own.close()
    store.close()
    try answers.lines.joined(separator: "\n").write(
      toFile: "\(directory)/answers-\(process)", atomically: true, encoding: .utf8)
  }

  @Test func `nothing that was acknowledged is lost, and no number is used again`() async throws {
    try await withDirectory { directory in
      let rounds = Self.rounds
      await withTaskGroup(of: Void.self) { group in
        for process in 0..<Self.processes {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [directory = directory as String, process = process as Int, rounds = rounds as Int] in
              try Self.run(process, rounds: rounds, in: directory)
            }
          }
        }
      }
      let answers = try Answers.read(directory)
      func all(_ word: String) -> [String] { answers[word] ?? [] }
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }

      let removed = Set(all("removed").compactMap { Int($0) })
      let numbers = all("rule").compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
      #expect(numbers.sorted() == Array(1...Self.processes * rounds))
      let rules = try store.retentionRules()
      #expect(rules.map(\.number) == numbers.filter { !removed.contains($0) }.sorted())
      let given = Set(all("rule"))
      #expect(rules.allSatisfy { given.contains("\($0.number) \($0.rule.domain ?? "")") })

      let names = Set(all("snapshot")).subtracting(all("deleted"))
      let shared = (0..<rounds).map { "shared-\($0)" }
      let found = try store.snapshots().map(\.name)
      #expect(Set(found) == names.union(shared))
      #expect(all("shared").compactMap { Int($0) }.sorted() == Array(0..<rounds))

      let blocked = Set(all("blocked")).subtracting(all("unblocked"))
      for item in all("blocked") {
        let result = try store.appendBlocking([index(item, title: "lantern")])
        #expect(result.rejectedCount == (blocked.contains(item) ? 1 : 0), "\(item)")
      }
      let kept = try store.at().items().map(\.id).filter { $0.hasPrefix("kept") }
      #expect(Set(kept).count == Self.processes * rounds)

      let key = try store.verifierKey()
      #expect(Set(all("key")) == [key])
      let signed = Set(try store.issuedCheckpoints().map(\.size))
      #expect(signed == Set(all("signed").compactMap { UInt64($0) }))
      #expect(Set(all("witness")).count == 1)
      let witness = try CheckpointWitness(at: directory + "/witness")
      let trusted = try witness.logs().flatMap(\.verifierKeys)
      #expect(Set(trusted) == Set(all("trusted")))
      #expect(try store.verify(deep: true).problems.isEmpty)
    }
  }

  @Test func `the number of a removed rule is not used again`() async throws {
    try await withStore { store in
      let rule = RetentionRule(keeping: .days(1))
      var numbers = [try store.addRetentionRule(rule), try store.addRetentionRule(rule)]
      #expect(try store.removeRetentionRule(2))
      numbers.append(try store.addRetentionRule(rule))
      #expect(try store.removeRetentionRule(3))
      #expect(try store.removeRetentionRule(1))
      numbers.append(try store.addRetentionRule(rule))
      #expect(numbers == [1, 2, 3, 4])
    }
  }

  @Test func `what makes a key waits for a writer as long as the caller said`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store", patience: .milliseconds(20))
      defer { store.close() }
      let lock = try FileLock(path: "\(store.directory)/writer.lock")
      #expect(try lock.tryLock())
      Thread.detachNewThread {
        usleep(3_000_000)
        lock.unlock()
      }
      expectError(.busy) { try store.importKey() }
      expectError(.busy) { try store.purge(.domain("a"), blocking: true) }
    }
  }
}
