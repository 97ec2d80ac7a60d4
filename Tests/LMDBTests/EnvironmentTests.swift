import CLMDB
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LMDB

@Suite struct EnvironmentTests {
  let scratch = TestDirectory()

  @Test func `two opens of one file give one environment`() throws {
    let first = try scratch.environment()
    let link = scratch.file("link.mdb")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: scratch.file("data.mdb"))
    #expect(try scratch.environment() === first)
    #expect(try scratch.environment("link.mdb") === first)
    #expect(try scratch.environment("other.mdb") !== first)
  }

  @Test func `a file is closed when each open has been closed`() throws {
    let first = try scratch.environment()
    let second = try scratch.environment()
    first.close()
    try second.put([1], [2])
    second.close()
    expectError(.badArgument) { try second.value([1]) }
    #expect(try scratch.environment() !== first)
    #expect(try scratch.environment().value([1]) == [2])
  }

  @Test func `letting go of what was closed leaves alone who has the file now`() throws {
    var first: Environment? = try scratch.environment()
    first?.close()
    let second = try scratch.environment()
    #expect(second !== first)
    first = nil
    #expect(try scratch.environment() === second)
  }

  @Test func `letting go of an environment closes it`() throws {
    try scratch.environment().put([1], [2])
    for _ in 0..<50 { #expect(try scratch.environment().value([1]) == [2]) }
  }

  @Test func `many threads opening and letting go never meet a half-closed file`() async throws {
    let scratch = scratch
    try await withThrowingTaskGroup { group in
      for worker in 0..<8 as Range<UInt8> {
        group.addTask {
          for round in 0..<40 as Range<UInt8> {
            try scratch.environment().put([worker, round], [round])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try scratch.environment().count() == 320)
  }

  @Test func `an open file does not serve tables or rights it was not opened with`() throws {
    let path = scratch.file("data.mdb")
    try scratch.environment().put([1], [2])
    let reader = try Environment.open(path, .init(access: .readOnly, tables: ["rows"]))
    expectError(.badArgument) {
      try Environment.open(path, .init(access: .readOnly, tables: ["rows", "more"]))
    }
    expectError(.readOnly) {
      try Environment.open(path, .init(tables: ["rows"]))
    }
    expectError(.readOnly) { try reader.put([1], [3]) }
    #expect(try reader.value([1]) == [2])
  }

  @Test func `a later version may add tables to a file`() throws {
    try scratch.environment().put([1], [2])
    let environment = try scratch.environment(tables: ["rows", "more"])
    #expect(try environment.value([1]) == [2])
    #expect(
      try environment.read { (txn) throws(CairnError) in try txn.count(environment["more"]) } == 0
    )
  }

  @Test func `readers keep their view while the writer commits`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.put([1], [1])
    try environment.read { (txn) throws(CairnError) in
      for value in 2...200 as ClosedRange<UInt8> { try environment.put([1], [value]) }
      #expect(try txn.get(rows, [1])?.array() == [1])
      #expect(try environment.value([1]) == [200])
    }
    #expect(try environment.value([1]) == [200])
  }

  @Test func `a write that throws leaves nothing`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    expectError(.aborted) {
      try environment.write { (txn) throws(CairnError) in
        try txn.put(rows, [1], [1])
        throw CairnError(.aborted, "on purpose")
      }
    }
    #expect(try environment.value([1]) == nil)
  }

  @Test func `reads leave no slot behind, thrown ones included`() async throws {
    let environment = try scratch.environment()
    try environment.put([1], [1])
    for round in 0..<2_000 {
      try? environment.read { (txn) throws(CairnError) in
        if round % 3 == 0 { throw CairnError(.aborted, "on purpose") }
        _ = try txn.count(environment["rows"])
      }
    }
    #expect(environment.readerSlotCount == 1)
    await withTaskGroup { group in
      for _ in 0..<16 { group.addTask { for _ in 0..<500 { _ = try? environment.value([1]) } } }
    }
    #expect(environment.readerSlotCount <= 17)
  }

  @Test func `more readers than there are slots is an error, and the slots come back`() throws {
    let environment = try scratch.environment()
    func nest(_ depth: Int) throws(CairnError) -> Int {
      try environment.read { (_) throws(CairnError) in
        do throws(CairnError) { return try nest(depth + 1) } catch {
          #expect(error.code == .readersFull)
          return depth
        }
      }
    }
    let depth = try nest(1)
    #expect(depth >= 1_000)
    #expect(try nest(1) == depth)
  }

  @Test func `a removed table is empty and can be filled again`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    try environment.write { (txn) throws(CairnError) in
      for key in 0...255 as ClosedRange<UInt8> { try txn.append(rows, [key], [key]) }
      try txn.removeAll(rows)
      try txn.append(rows, [7], [7])
    }
    #expect(try environment.count() == 1)
  }

  @Test func `appending out of order is refused`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    expectError(.badArgument) {
      try environment.write { (txn) throws(CairnError) in
        try txn.append(rows, [2], [])
        try txn.append(rows, [1], [])
      }
    }
    #expect(try environment.count() == 0)
  }

  @Test func `a commit whose meta page cannot be written leaves a file that goes on`() throws {
    let path = scratch.file("data.mdb")
    let environment = try scratch.environment(durability: .synchronous)
    try environment.put([1], [1])
    // LMDB writes meta pages by a descriptor of their own; this one takes nothing.
    let readOnly = unsafe open(path, O_RDONLY)
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let link = "/proc/self/fd/" + name
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
      guard target == path, let number = CInt(name), number != readOnly,
        number != environment.descriptor
      else { continue }
      #expect(dup2(readOnly, number) == number)
    }
    close(readOnly)
    expectError(.io) { try environment.put([1], [2]) }
    #expect(try environment.value([1]) == [1])
    try environment.put([1], [3])
    #expect(try environment.value([1]) == [3])
    environment.close()
    #expect(try scratch.environment().value([1]) == [3])
  }

  @Test func `what cannot be opened anew is closed, whatever is asked of it then`() throws {
    let (path, aside) = (scratch.file("data.mdb"), scratch.file("aside.mdb"))
    let environment = try scratch.environment()
    try environment.put([1], [1])
    try FileManager.default.moveItem(atPath: path, toPath: aside)
    expectError(.missing) { try environment.reopen() }
    for _ in 0..<3 {
      expectError(.badArgument) { try environment.reopen() }
      expectError(.badArgument) { try environment.put([1], [2]) }
      expectError(.badArgument) { try environment.value([1]) }
      environment.close()
    }
    try FileManager.default.moveItem(atPath: aside, toPath: path)
    #expect(try scratch.environment().value([1]) == [1])
  }

  @Test func `closing waits for a file that is being opened anew`() async throws {
    for _ in 0..<50 {
      let environment = try scratch.environment()
      try environment.put([1], [1])
      let reopening = onOwnThread {
        for _ in 0..<20 {
          do throws(CairnError) { try environment.reopen() } catch {
            return error.code == .badArgument
          }
        }
        return true
      }
      environment.close()
      #expect(try await reopening.value)
      expectError(.badArgument) { try environment.value([1]) }
    }
    #expect(try scratch.environment().value([1]) == [1])
  }

  @Test func `committed values survive a plain reopen with full durability`() throws {
    let first = try scratch.environment(durability: .synchronous)
    try first.put([1], [2])
    try first.sync()
    let grown = first.byteCount
    first.close()
    let again = try scratch.environment()
    #expect(try again.value([1]) == [2])
    #expect(again.byteCount == grown)
  }

  @Test func `changes note what of the file they map, as lookups do`() throws {
    let environment = try scratch.environment()
    let rows = environment["rows"]
    let one = Int(Environment.mappedAroundByteCount)
    func noted(_ body: (inout WriteTransaction) throws(CairnError) -> Void) throws -> Int {
      environment.passedByteCount.store(0, ordering: .relaxed)
      try environment.write(body)
      return environment.passedByteCount.load(ordering: .relaxed)
    }
    let puts = try noted { (txn) throws(CairnError) in
      for key in 1...9 as ClosedRange<UInt8> { try txn.put(rows, [key], [key]) }
    }
    #expect(puts == 9 * one)
    let run = try noted { (txn) throws(CairnError) in
      try txn.run(rows) { (run) throws(CairnError) in
        for key in 1...4 as ClosedRange<UInt8> {
          let bytes = [key]
          try run.put(bytes.rawSpan, bytes.rawSpan)
        }
      }
      try txn.delete(rows, [9])
    }
    #expect(run == 5 * one)
    #expect((1..<Int.max).contains(Environment.mappedByteCount()))
  }

  @Test func `long work notes its lookups in however many transactions, a question none`() throws {
    let environment = try scratch.environment()
    try environment.put([1], [2])
    environment.passedByteCount.store(0, ordering: .relaxed)
    func noted() -> Int {
      environment.passedByteCount.load(ordering: .relaxed) / Int(Environment.mappedAroundByteCount)
    }
    _ = try environment.value([1])
    #expect(noted() == 0)
    try withBoundedMemory { () throws(CairnError) in
      for _ in 0..<3 { _ = try environment.value([1]) }
    }
    #expect(noted() == 3)
    _ = try environment.writer.run { () throws(CairnError) in try environment.value([1]) }
    #expect(noted() == 4)
    _ = try environment.value([1])
    #expect(noted() == 4)
  }
}

extension Environment {
  func put(_ key: [UInt8], _ value: [UInt8]) throws(CairnError) {
    try write { (txn) throws(CairnError) in try txn.put(self["rows"], key, value) }
  }

  func value(_ key: [UInt8]) throws(CairnError) -> [UInt8]? {
    try read { (txn) throws(CairnError) in try txn.get(self["rows"], key)?.array() }
  }

  func count() throws(CairnError) -> Int {
    try read { (txn) throws(CairnError) in try txn.count(self["rows"]) }
  }
}

extension Environment {
  /// Reader slots taken so far, over all processes; never more than were in use at once.
  fileprivate var readerSlotCount: Int {
    var info = unsafe MDB_envinfo()
    unsafe mdb_env_info(raw, &info)
    return unsafe Int(info.me_numreaders)
  }
}
