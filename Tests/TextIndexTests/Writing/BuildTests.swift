import Foundation
import LMDB
import Projections
import TestSupport
import Testing

@testable import TextIndex

/// An index on its way through a build, and what it takes to lose the process at any point.
private struct Build {
  let directory = TestDirectory()
  var environment: Environment
  var index: TextIndex
  var context = FoldContext()
  private(set) var applied = 0

  var path: String { directory.file("data.build") }

  init() throws(CairnError) {
    environment = try directory.environment()
    index = TextIndex(environment: environment)
    try index.beginBuild(in: environment, at: path, context: context)
  }

  /// Folds the next events of a log, and tells of those after them when wanted.
  mutating func fold(_ log: [TextIndex.Change], _ count: Int, next: Int) throws(CairnError) {
    let batch = Array(log[applied..<min(applied + count, log.count)])
    let end = applied + batch.count
    let upcoming = Self.puts(log[end..<min(end + next, log.count)])
    let (index, context, name) = (index, context, UInt64(applied))
    let puts = Self.puts(batch[...])
    try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      if !puts.isEmpty {
        try index.analyseAhead(count: puts.count, named: name, in: &txn, context: context) {
          puts[$0]
        }
      }
      context.prepare(UInt64(end), count: upcoming.count) { upcoming[$0] }
      try index.apply(batch, in: &txn, context: context)
    }
    applied = end
  }

  private static func puts(_ changes: ArraySlice<TextIndex.Change>) -> [(
    fields: [TextIndex.Field], bytes: [UInt8]
  )] {
    changes.compactMap { change in
      guard case .put(_, _, _, let fields, let buffer) = change else { return nil }
      return (fields, buffer)
    }
  }

  /// What another process finds after this one is gone.
  mutating func restart() throws(CairnError) {
    context.endAhead()
    environment.close()
    environment = try directory.environment()
    index = TextIndex(environment: environment)
    context = FoldContext()
    try index.beginBuild(in: environment, at: path, context: context)
  }

  /// By default with so little memory that a few terms are a job.
  func finish(memory: Int = 1) throws(CairnError) {
    context.endAhead()
    try index.finishBuild(in: environment, memory: memory, context: context)
  }

  func digests() throws(CairnError) -> [RowDigest] {
    let index = index
    return try environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      [
        try IndexState(txn, index.tables).digest,
        try index.recomputedDigest(in: txn) { (item) throws(CairnError) in Fixture.nameKey(item)
        },
      ]
    }
  }

  func search(_ request: TextIndex.Request) throws(CairnError) -> [TextIndex.Hit] {
    let index = index
    return try environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      try index.search(
        request, in: txn, maximumBonus: 0, bonus: { (_, _) throws(CairnError) in 0 },
        accept: { (_) throws(CairnError) in true })
    }
  }
}

@Suite("An index that was built equals one that was folded") struct BuildTests {
  private static func changes(_ log: [(item: UInt32, fields: Fixture.Fields?)]) -> [TextIndex
    .Change]
  { log.indices.map { Fixture.change(log[$0].item, UInt64($0 + 1), log[$0].fields) } }

  @Test(arguments: 0..<7) func `in many runs, with kills between them`(seed: Int) throws {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 9_000))
    if seed >= 5 { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    var events = text.events(500, items: 90)
    // What says again what is known makes no version, and leaves its run.
    for at in stride(from: 1, to: events.count, by: 9) { events[at] = events[at - 1] }
    try fixture.apply(events)
    let log = Self.changes(fixture.log)
    var build = try Build()
    var next = Int.random(in: 1...60, using: &text.random)
    while build.applied < log.count {
      let count = next
      next = Int.random(in: 1...60, using: &text.random)
      try build.fold(log, count, next: seed.isMultiple(of: 3) ? 0 : next)
      if Int.random(in: 0..<4, using: &text.random) == 0 { try build.restart() }
    }
    try build.finish()
    #expect(!FileManager.default.fileExists(atPath: build.path))
    let digest = try fixture.digest()
    #expect(try build.digests() == [digest, digest], "seed \(seed)")
    for _ in 0..<150 {
      let request = text.request(head: 500)
      #expect(try build.search(request) == fixture.search(request), "seed \(seed): \(request)")
    }
    try Self.goOn(&fixture, build, &text, "seed \(seed)")
  }

  /// What comes after the end of a build goes the ordinary way.
  private static func goOn(
    _ fixture: inout Fixture, _ build: Build, _ text: inout RandomText, _ note: Comment
  ) throws {
    let old = fixture.log.count
    try fixture.apply(text.events(120, items: 120))
    let more = Array(changes(fixture.log)[old...])
    let (index, context) = (build.index, build.context)
    context.pace = .hurried
    _ = try build.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      try index.apply(more, in: &txn, context: context)
    }
    for _ in 0..<30 {
      try build.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        _ = try index.mergeIfDue(in: &txn, force: false, context: context)
      }
    }
    let digest = try fixture.digest()
    #expect(try build.digests() == [digest, digest], note)
    for _ in 0..<50 {
      let request = text.request(head: UInt64(fixture.log.count))
      #expect(try build.search(request) == fixture.search(request), "\(note): \(request)")
    }
  }

  /// Damage that the end of a build finds when it has written most of its rows stands for a kill
  /// then.
  @Test func `killed at its end it can be ended again`() throws {
    var text = RandomText(random: SeededGenerator(seed: 9_100))
    var fixture = try Fixture()
    try fixture.apply(text.events(400, items: 400))
    let log = Self.changes(fixture.log)
    var build = try Build()
    while build.applied < log.count { try build.fold(log, 90, next: 90) }
    try build.restart()
    let whole = try #require(FileManager.default.contents(atPath: build.path))
    try whole.dropLast(40).write(to: URL(fileURLWithPath: build.path))
    expectError(.corrupt) { try build.finish() }
    try whole.write(to: URL(fileURLWithPath: build.path))
    try build.restart()
    try build.finish()
    let digest = try fixture.digest()
    #expect(try build.digests() == [digest, digest])
  }

  /// What a bad disk, a torn write or another hand may leave; a trap would end the tests.
  private static func damage(_ file: inout [UInt8], _ random: inout SeededGenerator) {
    // Every other time at the header of the first run.
    let isHead = Bool.random(using: &random)
    let at = Int.random(in: 0..<(isHead ? 48 : file.count - 8), using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: at..<min(at + 64, file.count), using: &random)
        file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case 1: for place in at..<min(at + 512, file.count) { file[place] = 0 }
    case 2:
      for place in at..<min(at + 40, file.count) {
        file[place] = .random(in: 0...255, using: &random)
      }
    case 3:
      let byteCount = [1, 4, 8].randomElement(using: &random) ?? 1
      for place in at / byteCount * byteCount..<at / byteCount * byteCount + byteCount {
        file[place] = 0xFF
      }
    default: file.removeLast(Int.random(in: 1...file.count, using: &random))
    }
  }

  @Test(arguments: 0..<4)
  func `a damaged file is an error, or shows in the index, and never a trap`(seed: Int) throws {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 9_150))
    var fixture = try Fixture()
    try fixture.apply(text.events(70, items: 60))
    let log = Self.changes(fixture.log)
    let digest = try fixture.digest()
    var (failures, shown) = (0, 0)
    for round in 0..<8 {
      var build = try Build()
      while build.applied < log.count { try build.fold(log, 25, next: 25) }
      build.context.endAhead()
      var file = try Array(#require(FileManager.default.contents(atPath: build.path)))
      Self.damage(&file, &text.random)
      try Data(file).write(to: URL(fileURLWithPath: build.path))
      do throws(CairnError) {
        try build.restart()
        try build.finish()
      } catch {
        #expect(error.code == .corrupt, "seed \(seed), round \(round)")
        failures += 1
        continue
      }
      do throws(CairnError) {
        let found = try build.digests()
        #expect(found[0] == digest, "seed \(seed), round \(round)")
        if found[1] != digest { shown += 1 }
      } catch {
        #expect(error.code == .corrupt, "seed \(seed), round \(round)")
        shown += 1
      }
    }
    #expect(failures + shown > 0)
  }

  @Test(arguments: [(1, true), (511, true), (512, false), (1_000, false)])
  func `a key that no table would take is damage`(byteCount: Int, isTaken: Bool) throws {
    let directory = TestDirectory()
    let file = try SpillFile(path: directory.file("run"))
    var row = ByteWriter()
    row.appendVarint(UInt64(byteCount))
    row.append(repeating: 1, byteCount: byteCount)
    for number in [1, 3, 0] as [UInt64] { row.appendVarint(number) }
    let keyByteCount = row.count
    row.append(repeating: 0, byteCount: 3)
    try file.write(row, at: RunHeader.byteCount)
    let header = RunHeader(
      firstDocument: 1, documentCount: 1, termCount: 1, nameCount: 1, keyByteCount: keyByteCount,
      postingByteCount: 3, documentByteCount: 0)
    var keys = RunReader(StoredRun(start: 0, header: header), bufferByteCount: 4_096)
    if isTaken {
      #expect(try keys.advance(file))
      #expect(try !keys.advance(file))
    } else {
      expectError(.corrupt) { try keys.advance(file) }
    }
  }

  @Test func `without what it kept a build is not gone on with`() throws {
    var text = RandomText(random: SeededGenerator(seed: 9_200))
    var build = try Build()
    let log = Self.changes(text.events(60, items: 60))
    try build.fold(log, 60, next: 0)
    try FileManager.default.removeItem(atPath: build.path)
    expectError(.corrupt) { try build.restart() }
  }

  @Test func `an index that holds something is not built`() throws {
    var fixture = try Fixture()
    try fixture.apply([(1, [(.title, "one")])])
    expectError(.badArgument) {
      try fixture.index.beginBuild(
        in: fixture.environment, at: fixture.directory.file("data.build"), context: FoldContext())
    }
  }

  @Test func `pages are full and none is free`() throws {
    var random = SeededGenerator(seed: 9_300)
    let words = (0..<400).map { "word\($0)" }
    let log = (0..<6_000).map { number in
      let text = (0..<30).map { _ in words[Int.random(in: 0..<400, using: &random)] }
      return Fixture.change(
        UInt32(number), UInt64(number + 1), [(.text, text.joined(separator: " "))])
    }
    var build = try Build()
    while build.applied < log.count { try build.fold(log, 1_000, next: 1_000) }
    try build.finish(memory: 64 << 20)
    try build.environment.sync()
    let postings = build.environment[IndexTables.postingsName]
    let byteCount = try build.environment.read { (txn) throws(CairnError) in
      var byteCount = 0
      try txn.scan(postings) { (key, row) throws(CairnError) in
        byteCount += key.byteCount + row.byteCount + Limits.rowOverheadByteCount
        return true
      }
      return byteCount
    }
    let leaves = try build.environment.read { (txn) throws(CairnError) in
      try txn.leafCount(postings)
    }
    #expect(byteCount > 400_000)
    #expect(Double(byteCount) / Double(leaves * Limits.leafByteCount) > 0.95)
  }
}
