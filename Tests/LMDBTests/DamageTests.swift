import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite struct DamageTests {
  let scratch = TestDirectory()
  var path: String { scratch.file("data.mdb") }

  @Test func `a missing file is missing, and reading does not make it`() {
    expectError(.missing) {
      try Environment.open(path, .init(access: .readOnly, tables: ["rows"], create: true))
    }
    expectError(.missing) {
      try Environment.open(path, .init(tables: ["rows"]))
    }
    #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) == [])
  }

  @Test(arguments: [0, 1, 100, 4_096, 100_000]) func `a foreign file is not a store`(count: Int)
    throws
  {
    var random = SeededGenerator(seed: 5)
    try Data(random.bytes(count)).write(to: URL(fileURLWithPath: path))
    for access in [Environment.Configuration.Access.readOnly, .readWrite] {
      expectError(.notAStore) {
        try Environment.open(path, .init(access: access, tables: ["rows"]))
      }
    }
  }

  @Test func `a directory is not a store`() {
    expectError(.notAStore) {
      try Environment.open(scratch.path, .init(access: .readOnly, tables: ["rows"]))
    }
  }

  @Test func `a file of another format version is refused as such`() throws {
    try fill()
    try change { $0[20] = 2 }
    expectError(.unsupportedFormat) {
      try Environment.open(path, .init(tables: ["rows"]))
    }
  }

  @Test func `a truncated file is an error wherever it was cut`() throws {
    try fill()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for count in stride(from: 1, to: whole.count - 4_095, by: 1_777) {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      #expect(throws: CairnError.self, "cut to \(count) of \(whole.count)") {
        try Environment.open(path, .init(access: .readOnly, tables: ["rows"]))
      }
    }
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(try Environment.open(path, .init(tables: ["rows"])).count() == 500)
  }

  @Test func `a flipped bit of a value or key is found by get and by cursor`() throws {
    let environment = try scratch.environment()
    let value = Array("a value that is easy to find".utf8)
    let key = Array("a key that is easy to find".utf8)
    try environment.put(key, value)
    environment.close()
    for pattern in [value, key] {
      let place = try #require(
        try Data(contentsOf: URL(fileURLWithPath: path)).lastRange(of: Data(pattern)))
      try change { $0[place.lowerBound + 9] ^= 0x10 }
      let damaged = try scratch.environment()
      let rows = damaged["rows"]
      let failure = expectError(.corrupt) {
        try damaged.read { (txn) throws(CairnError) in
          var cursor = try txn.cursor(rows)
          _ = try cursor.next()
        }
      }
      #expect(failure?.place == "data.mdb, table rows")
      #expect(failure?.message.contains("easy") == false)
      if pattern == value { expectError(.corrupt) { try damaged.value(key) } }
      damaged.close()
      try change { $0[place.lowerBound + 9] ^= 0x10 }
    }
    #expect(try scratch.environment().value(key) == value)
  }

  /// Below and above the right one, in order among the others either way.
  @Test(arguments: [0x01, 0x04] as [UInt8])
  func `a key that is damaged and still in order is passed by no search`(bit: UInt8) throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let keys = (1...9).map { [UInt8($0)] + Array("key in order".utf8) }
    try environment.write { (txn) throws(CairnError) in
      for key in keys { try txn.append(rows, key, [1]) }
    }
    environment.close()
    let place = try #require(
      try Data(contentsOf: URL(fileURLWithPath: path)).lastRange(of: Data(keys[4])))
    try change { $0[place.lowerBound + 1] ^= bit }
    let damaged = try scratch.environment()
    let found = damaged["rows"]
    expectError(.corrupt) {
      try damaged.read { (txn) throws(CairnError) in
        var cursor = try txn.cursor(found)
        _ = try cursor.find(keys[4])
      }
    }
    expectError(.corrupt) {
      try damaged.read { (txn) throws(CairnError) in
        try txn.scan(found, from: keys[4]) { (_, _) throws(CairnError) in false }
      }
    }
  }

  @Test func `a damaged list of tables is an error before LMDB follows it`() throws {
    try fill()
    let root = Int(try meta().main.root) * 4_096
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    let node = root + Int(sound[root + 16]) + Int(sound[root + 17]) << 8
    // The sizes of its value and key, and what kind it is.
    try change { for place in node..<node + 8 { $0[place] = 0xFF } }
    for access in [Environment.Configuration.Access.readOnly, .readWrite] {
      let error = expectError(.corrupt) {
        try Environment.open(path, .init(access: access, tables: ["rows"]))
      }
      #expect(error?.place == "data.mdb")
    }
  }

  @Test func `a sound file that is shorter than its last page opens, and is made longer`() throws {
    // Pages taken and given back in one transaction are never written.
    var random = SeededGenerator(seed: 58)
    for round in 0..<100 {
      let environment = try scratch.environment()
      let rows = environment["rows"]
      var steps = random
      try environment.write { (txn) throws(CairnError) in
        for _ in 0..<steps.next() % 400 {
          let key = [UInt8(steps.next() % 256), UInt8(steps.next() % 2)]
          try txn.put(rows, key, [UInt8](repeating: 1, count: Int(steps.next() % 1_896)))
        }
        if round % 5 == 4 {
          for key in 0..<512 { try txn.delete(rows, [UInt8(key / 2), UInt8(key % 2)]) }
        }
      }
      random = steps
      let count = try environment.count()
      let byteCount = environment.byteCount
      environment.close()
      let wanted = Int(try meta().lastPage + 1) * 4_096
      guard byteCount < wanted else { continue }
      let again = try scratch.environment()
      #expect(try again.count() == count)
      #expect(again.byteCount == wanted)
      try again.checkStructure()
      return
    }
    Issue.record("no transaction left the file short, so nothing was tested")
  }

  /// Keys so long that trees are high, in two tables, and rows that went.
  private func fillDeep(_ counts: [Int], _ random: inout SeededGenerator) throws {
    let environment = try scratch.environment(tables: ["rows", "others"], durability: .synchronous)
    let tables = [environment["rows"], environment["others"]]
    for count in counts {
      var steps = random
      try environment.write { (txn) throws(CairnError) in
        for _ in 0..<count {
          let length = 480 + Int(steps.next() % 20)
          let key = steps.bytes(1) + [UInt8](repeating: 7, count: length)
          let table = tables[Int(steps.next() % 2)]
          if steps.next() % 4 == 0 {
            try txn.delete(table, key)
          } else {
            try txn.put(table, key, [UInt8](repeating: 1, count: Int(steps.next() % 1_000)))
          }
        }
      }
      random = steps
    }
    environment.close()
  }

  /// Where the first list of free pages stands: how many they are, then their numbers.
  private func freeList(in data: Data) throws -> Int {
    let page = Int(try meta().free.root) * 4_096
    let slot = page + Int(data[page + 16]) + Int(data[page + 17]) << 8
    return slot + 8 + 8
  }

  /// With few free pages these are searched for, with many all pages in use are marked.
  @Test(arguments: [[1_200, 1, 1, 1], [300, 300, 300], Array(repeating: 40, count: 12)])
  func `no page in use that is called free is written over`(counts: [Int]) throws {
    var random = SeededGenerator(seed: 61)
    try fillDeep(counts, &random)
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    let list = try freeList(in: sound)
    let meta = try meta()
    #expect(meta.free.depth == 1 && sound[list] > 0)
    #expect(meta.main.depth == 1)
    var refused = 0
    for number in 2..<sound.count / 4_096 {
      let place = list + 8 * Int.random(in: 1...Int(sound[list]), using: &random)
      try change { data in
        for byte in 0..<8 { data[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
      }
      let file = try #require(FileHandle(forReadingAtPath: path))
      let walk = Result { try PageTree.check(file.fileDescriptor, meta, place: "data.mdb") }
      let look = Result { try PageTree.checkFree(file.fileDescriptor, meta, place: "data.mdb") }
      switch (walk, look) {
      case (.success, .success): break
      case (.failure, .failure):
        refused += 1
        guard refused <= 9 else { break }
        let environment = try scratch.environment(
          tables: ["rows", "others"], durability: .synchronous)
        let rows = environment["rows"]
        let count = try environment.count()
        expectError(.corrupt) {
          try environment.write { (txn) throws(CairnError) in try txn.put(rows, [1], [1]) }
        }
        #expect(try environment.count() == count)
        environment.close()
      default: Issue.record("page \(number): \(walk) and \(look)")
      }
      try sound.write(to: URL(fileURLWithPath: path))
    }
    #expect(refused > 60)
  }

  private func meta() throws -> MetaPage {
    let file = try #require(FileHandle(forReadingAtPath: path))
    return try MetaPage.newest(file.fileDescriptor, place: "data.mdb")
  }

  /// Offsets in a page and bits there: page number, kind, end of the gap, place of the first row.
  @Test(arguments: [(0, 0x01), (10, 0x04), (15, 0x40), (17, 0x40)])
  func `the walk finds damage in the frame of any page in use`(offset: Int, bit: UInt8) throws {
    try fill()
    let environment = try scratch.environment()
    try environment.checkStructure()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    var found = 0
    for page in 2..<environment.byteCount / 4_096 {
      try flip(file, page * 4_096 + offset, bit)
      if case .failure(let error) = Result(catching: { try environment.checkStructure() }) {
        #expect((error as? CairnError)?.code == .corrupt)
        found += 1
      }
      try flip(file, page * 4_096 + offset, bit)
    }
    // 500 rows of 315 bytes cannot lie in fewer pages.
    #expect(found >= 500 * 315 / 4_096)
    try environment.checkStructure()
  }

  private func flip(_ file: FileHandle, _ offset: Int, _ bit: UInt8) throws {
    try file.seek(toOffset: UInt64(offset))
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data([byte ^ bit]))
  }

  private func fill() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    for batch in 0..<5 as Range<UInt8> {
      try environment.write { (txn) throws(CairnError) in
        for key in 0..<100 as Range<UInt8> {
          try txn.put(rows, [key, batch], [UInt8](repeating: key, count: 300))
        }
      }
    }
    environment.close()
  }

  private func change(_ body: (inout Data) -> Void) throws {
    let file = URL(fileURLWithPath: path)
    var data = try Data(contentsOf: file)
    body(&data)
    try data.write(to: file)
  }
}
