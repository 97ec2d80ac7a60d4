import EventLog
import Events
import Foundation
import HashTree
import LMDB
import TestSupport
import Testing

@Suite struct EraseTests {
  private static let purge = EncodedEvent(kind: .purge, payload: [0xa0])

  @Test func `erasing keeps headers, roots and proofs and takes everything else`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let id = EventID(high: 1, low: 2)
    _ = try log.append((1...40).map { try .view("item \($0)", id: $0 == 7 ? id : nil) })
    _ = try log.append([.view(String(repeating: "long", count: 900))])
    let leaves = try (1...41).map { try log.leaf(at: $0) }
    let root = try log.root(at: 41)

    #expect(try log.erase([41, 7, 9], recording: Self.purge) == 42)
    #expect(try log.root(at: 41) == root)
    #expect(try (1...41).map { try log.leaf(at: $0) } == leaves)
    #expect(try log.all().map(\.sequence) == (1...42).filter { ![7, 9, 41].contains($0) })
    #expect(try log.event(at: 7) == nil)
    let stub = try #require(try log.stub(at: 7))
    #expect(stub.purge == 42)
    #expect(try log.stub(at: 8) == nil)
    #expect(stub.leafHash == HashTree.leaf(try #require(leaves[6])))
    var stubs: [UInt64] = []
    try log.forEachStub { stubs.append($0.sequence) }
    #expect(stubs == [7, 9, 41])
    let report = try log.verify()
    #expect(report.problems == [])
    #expect(report.erased == 3)
    #expect(report.events == 39)
    // A second purge leaves the stub to the first.
    #expect(try log.erase([7, 8], recording: Self.purge) == 43)
    #expect(try log.stub(at: 7)?.purge == 42)
    #expect(try log.sequence(of: id) == nil)
    #expect(try log.append([.view("item 7", id: id)]).outcomes == [.appended(44)])
  }

  @Test func `a purge event and what lies beyond the head cannot be erased`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try log.append([.view("a"), .view("b")])
    _ = try log.erase([1], recording: Self.purge)
    for sequences in [[3], [2, 9]] as [[UInt64]] {
      expectError(.badArgument) {
        try log.erase(sequences, recording: Self.purge)
      }
    }
    #expect(try log.head().sequence == 3)
    #expect(try log.event(at: 2)?.item == "b")
  }

  @Test func `a copy has the same roots and not one erased byte`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let canary = "canary-5f1c"
    for batch in 0..<30 {
      _ = try log.append(
        (0..<100).map { index in
          try .view(index == 50 ? String(repeating: canary, count: 1 + batch * 9) : "item \(index)")
        })
    }
    let erased = (0..<30).map { UInt64($0 * 100 + 51) }
    _ = try log.erase(erased, recording: Self.purge)
    try log.setMetadata([1, 2], for: "origin")
    let path = "\(scratch.path)/copy"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let head = try log.copy(toFile: "\(path)/log.mdb")
    #expect(head == (try log.head()))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/log.mdb"))
    #expect(bytes.range(of: Data(canary.utf8)) == nil)
    // The test can fail: the file that was only erased in still has them.
    log.close()
    let old = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.store)/log.mdb"))
    #expect(old.range(of: Data(canary.utf8)) != nil)

    let copy = try EventLog.open(
      directory: path, access: .readWrite, create: false, writer: WriterThread(name: "copy"))
    #expect(try copy.verify().problems == [])
    #expect(try copy.metadata("origin") == [1, 2])
    #expect(try copy.append([.view("on it goes")]).first == head.sequence + 1)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 255, 256, 257, 300])
  func `a copy up to a sequence has the root of that size`(size: UInt64) throws {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try log.append((0..<300).map { try .view("\($0)", id: EventID(high: $0, low: 1)) })
    let path = "\(scratch.path)/copy"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let head = try log.copy(toFile: "\(path)/log.mdb", through: size)
    #expect(head.sequence == size)
    #expect(head.root == (try log.root(at: size)))
    let copy = try EventLog.open(
      directory: path, access: .readWrite, create: false, writer: WriterThread(name: "copy"))
    #expect(try copy.verify().problems == [])
    #expect(try copy.head() == head)
  }
}
