import Cairn
import Foundation
import TestSupport
import Testing

/// Random lives of a store (append, purge, snapshot, rebuild, crash, backup and restore) against a
/// list of events; a failure names its seed.
///
/// Short by default; `CAIRN_LIVES=10000` does what the promise says, `CAIRN_SEED` is the first
/// seed. Every hundred lives are reported, so that an interrupted run shows what passed.
@Suite struct RandomLifeTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["CAIRN_LIVES"].flatMap { Int($0) } ?? 6
  private static let first = environment["CAIRN_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func `a life of any kind leaves what its events leave`() async throws {
    for offset in 0..<Self.count {
      let seed = Self.first &+ UInt64(offset)
      try await withDirectory { directory in
        var life = try Life(seed: seed, directory: directory)
        for _ in 0..<12 { try await life.step() }
        try await life.compare()
        life.store.close()
      }
      if (offset + 1).isMultiple(of: 100) { Self.report(offset + 1) }
    }
  }

  private static func report(_ count: Int) {
    let last = first &+ UInt64(count - 1)
    try? FileHandle.standardError.write(
      contentsOf: Data("\(count) lives ended, seeds \(first) to \(last)\n".utf8))
  }
}

/// One store and what it should be.
private struct Life {
  /// What the log holds at a sequence.
  private enum Entry {
    case live(Event)
    case erased
    case purge
  }

  private struct Backup {
    var path: String
    var entries: [Entry]
  }

  let seed: UInt64
  let directory: String
  private(set) var store: Store
  private var random: SeededGenerator
  private var entries: [Entry] = []
  private var roots: [(size: UInt64, root: Hash32)] = []
  private var snapshots: [String: Int] = [:]
  private var backup: Backup?
  private var fileNumber = 0

  init(seed: UInt64, directory: String) throws {
    self.seed = seed
    self.directory = directory
    random = SeededGenerator(seed: seed &* 104_729)
    store = try Store.open(at: directory + "/store-0")
  }

  private var live: [(sequence: Int, event: Event)] {
    entries.enumerated().compactMap { index, entry in
      if case .live(let event) = entry { (index + 1, event) } else { nil }
    }
  }

  private mutating func path(_ name: String) -> String {
    fileNumber += 1
    return "\(directory)/\(name)-\(fileNumber)"
  }

  mutating func step() async throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: try await append()
    case 5, 6: try purge()
    case 7: try snapshot()
    case 8: try store.rebuild()
    case 9: try crash()
    case 10: try takeBackup()
    default: try restore()
    }
    try check(at: entries.count)
    if !entries.isEmpty { try check(at: Int.random(in: 0..<entries.count, using: &random)) }
  }

  private mutating func append() async throws {
    let events = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      PurgeModelTests.event(&random)
    }
    try await store.append(events)
    entries += events.map { .live($0) }
    if let proof = try? store.inclusionProof(of: UInt64(entries.count)) {
      roots.append((UInt64(entries.count), proof.rootHash))
    }
  }

  private mutating func purge() throws {
    let domains = ["a", "a.b", "a.b.c", "b", "b.a", "ab"]
    let scope: PurgeScope =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .domain(domains[Int.random(in: 0..<domains.count, using: &random)])
      case 1: .item("item \(Int.random(in: 0..<14, using: &random))")
      default:
        .before(Timestamp(seconds: 1_700_000_000 + Int64.random(in: 0..<60_000, using: &random)))
      }
    let live = live
    let gone = PurgeModelTests.purged(scope, live.map(\.event))
    let receipt = try #require(try store.purge(scope), "seed \(seed)")
    #expect(receipt.plan.eventCount == gone.count, "seed \(seed)")
    #expect(receipt.isComplete && receipt.residueByteCount == 0, "seed \(seed)")
    guard !gone.isEmpty else { return }
    for index in gone { entries[live[index].sequence - 1] = .erased }
    entries.append(.purge)
  }

  private mutating func snapshot() throws {
    let name = "s\(snapshots.count)"
    let sequence = Int.random(in: 0...entries.count, using: &random)
    try store.createSnapshot(name, at: .sequence(UInt64(sequence)))
    snapshots[name] = sequence
  }

  /// The process is gone, the files are what they are.
  private mutating func crash() throws {
    let old = store
    let copy = path("store")
    try FileManager.default.copyItem(atPath: old.directory, toPath: copy)
    old.close()
    store = try Store.open(at: copy)
  }

  private mutating func takeBackup() throws {
    let path = path("backup")
    _ = try store.backUp(into: path)
    backup = Backup(path: path, entries: entries)
    // A restore brings snapshots of later points back no more.
    snapshots = snapshots.filter { $0.value <= entries.count }
  }

  private mutating func restore() throws {
    guard let backup else { return }
    let path = path("store")
    let report = try Store.restore(backup.path, into: path, original: store)
    var restored = backup.entries
    var purged = 0
    for (index, entry) in restored.enumerated() {
      guard case .live = entry, case .erased = entries[index] else { continue }
      restored[index] = .erased
      purged += 1
    }
    #expect(report.purgedCount == purged, "seed \(seed)")
    store.close()
    store = try Store.open(at: path)
    roots = roots.filter { $0.size <= UInt64(restored.count) }
    entries = restored + (purged > 0 ? [.purge] : [])
    let names = try store.snapshots().map(\.name)
    snapshots = snapshots.filter { names.contains($0.key) }
    self.backup = nil
  }

  private func check(at sequence: Int) throws {
    let note: Comment = "seed \(seed), sequence \(sequence) of \(entries.count)"
    var model = HistoryModel()
    for (place, event) in live where place <= sequence { model.apply(event) }
    let moment = try store.at(.sequence(UInt64(sequence)))
    #expect(try moment.items().map(\.id) == model.items.keys.sorted(), note)
    #expect(try moment.top(by: .count, limit: nil).map(\.item) == model.top, note)
  }

  /// Compares with a store in which only what is live ever happened.
  func compare() async throws {
    let note: Comment = "seed \(seed)"
    #expect(try store.events().map(\.sequence).count == live.count + purgeCount, note)
    for (size, root) in roots {
      #expect(try store.inclusionProof(of: size, size: size).rootHash == root, note)
    }
    for (sequence, _) in live.prefix(20) {
      let proof = try store.inclusionProof(of: UInt64(sequence))
      #expect(proof.holds, note)
    }
    for (name, sequence) in snapshots {
      var model = HistoryModel()
      for (place, event) in live where place <= sequence { model.apply(event) }
      #expect(try store.snapshot(name)?.itemCount == model.items.count, note)
    }
    #expect(try store.verify(deep: true).problems == [], note)
    let events = live.map(\.event)
    let found = try store.digests()
    try await withStore { other in
      try await other.append(events)
      #expect(try other.digests() == found, note)
    }
  }

  private var purgeCount: Int { entries.count { if case .purge = $0 { true } else { false } } }
}
