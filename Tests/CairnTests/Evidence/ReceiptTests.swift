import Cairn
import EventLog
import Events
import Foundation
import HashTree
import LMDB
import TestSupport
import Testing

/// Receipts that an owner of a log signed, and that show no purge all the same.
@Suite struct ReceiptTests {
  private static let digest = HashTree.leaf([]).base64

  private static let key = Result { try SignerKey(randomFor: "log") }

  /// A receipt in a tree that is the forger's own, in which the event has some place.
  private static func receipt(of sequence: UInt64, at index: Int, in log: EventLog) throws
    -> [UInt8]
  {
    let extra = try #require(try log.opened(at: sequence))
    let header = try #require(try log.leaf(at: sequence))
    var leaves = [Hash32](repeating: HashTree.leaf([]), count: index)
    leaves.append(HashTree.leaf(header))
    var tree = CompactRange()
    for leaf in leaves { tree.append(leaf) }
    let note = try Checkpoint(origin: "log", size: UInt64(leaves.count), root: tree.root)
      .signed(by: [try key.get()])
    let proof = OfflineProof(
      extra: extra, leafIndex: UInt64(index), hashes: siblings(of: leaves), checkpoint: note)
    return Array(proof.encoded.utf8)
  }

  /// The hashes beside the way from the last leaf, leaf side first.
  private static func siblings(of leaves: [Hash32]) -> [Hash32] {
    guard leaves.count > 1 else { return [] }
    var width = 1
    while width * 2 < leaves.count { width *= 2 }
    var left = CompactRange()
    for leaf in leaves.prefix(width) { left.append(leaf) }
    return siblings(of: Array(leaves.dropFirst(width))) + [left.root]
  }

  /// Trust in the forger, and a receipt of what was recorded as the purge of three events.
  private static func withReceipt(
    recording facts: String, _ body: (TrustedKeys, [UInt8]) throws -> Void
  ) async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await store.append((1...20).map { index("item \($0)", title: "tram") })
      store.close()
      let log = try EventLog.open(
        directory: directory + "/store", access: .readWrite, create: false,
        writer: WriterThread(name: "forger"))
      defer { log.close() }
      let purge = try JSONValue(parsing: Array(facts.utf8).span)
      let event = Event(kind: .purge, extras: JSONObject([("purge", purge)]))
      _ = try log.erase([5, 6, 9], recording: try event.encoded(byEngine: true))
      let trust = try TrustedKeys(logs: [try key.get().verifier.text])
      try body(trust, try receipt(of: 21, at: 20, in: log))
    }
  }

  private static func facts(
    events: String = "3", items: String = "1", digest: String = #""\#(digest)""#,
    sequences: String = "[[5,6],[9,9]]"
  ) -> String {
    #"{"events":\#(events),"items":\#(items),"digest":\#(digest),"sequences":\#(sequences)}"#
  }

  @Test func `a receipt tells what was purged`() async throws {
    try await Self.withReceipt(recording: Self.facts()) { trust, receipt in
      let purge = try #require(try trust.proof(receipt).purge)
      #expect(purge.eventCount == 3 && purge.itemCount == 1)
      #expect(purge.sequences == [5...6, 9...9])
    }
  }

  @Test(arguments: [
    facts(events: "2"), facts(events: "4"), facts(events: "-3"), facts(events: #""3""#),
    facts(items: "-1"), facts(items: "null"), facts(digest: #""AAAA""#), facts(digest: "3"),
    facts(sequences: "[[5,6],[6,6]]"), facts(sequences: "[[9,9],[5,6]]"),
    facts(sequences: "[[0,1],[9,9]]"), facts(sequences: "[[5,6],[21,21]]"),
    facts(sequences: "[[5,6],[2000,2000]]"), facts(sequences: "[[6,5],[9,9]]"),
    facts(sequences: "[[5,6,7],[9,9]]"), facts(sequences: "[5,6,9]"),
    facts(sequences: #"[["5","6"],["9","9"]]"#), facts(sequences: "{}"), "{}", "null", "[]",
    facts(events: "9223372036854775807", sequences: "[[1,9223372036854775807]]"),
  ])
  func `one whose counts and sequences contradict each other is refused`(facts: String)
    async throws
  {
    try await Self.withReceipt(recording: facts) { trust, receipt in
      expectError(.notVerified) { try trust.proof(receipt) }
    }
  }

  @Test func `a purge that a replay brought along is an event like others`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      defer { store.close() }
      try await store.append((1...5).map { index("item \($0)", title: "tram") })
      _ = try store.purge(.domain("none"))
      for item in 2...4 { _ = try store.purge(.item("item \(item)")) }
      let replayed = try Store.open(at: directory + "/replayed")
      defer { replayed.close() }
      try await replayed.append(store.events().map(\.event))
      let trust = try TrustedKeys(logs: [try replayed.verifierKey()])
      for sequence in 3...5 as ClosedRange<UInt64> {
        #expect(try replayed.events(EventQuery(kind: .purge)).count == 3)
        let proven = try trust.proof(Array(try replayed.offlineProof(of: sequence).utf8))
        #expect(proven.leafIndex == sequence - 1 && proven.purge == nil)
      }
      let own = try TrustedKeys(logs: [try store.verifierKey()])
      for (index, sequence) in (6...8 as ClosedRange<UInt64>).enumerated() {
        let proven = try own.proof(Array(try store.offlineProof(of: sequence).utf8))
        #expect(proven.purge?.sequences == [UInt64(index + 2)...UInt64(index + 2)])
      }
    }
  }

  @Test func `what is no purge, or has another place in the log, is none`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await store.append((1...5).map { index("item \($0)", title: "tram") })
      _ = try store.purge(.item("item 2"))
      store.close()
      let log = try EventLog.open(
        directory: directory + "/store", access: .readOnly, create: false,
        writer: WriterThread(name: "forger"))
      defer { log.close() }
      let trust = try TrustedKeys(logs: [try Self.key.get().verifier.text])
      let sound = try Self.receipt(of: 6, at: 5, in: log)
      #expect(try trust.proof(sound).purge?.sequences == [2...2])
      let view = try Self.receipt(of: 1, at: 0, in: log)
      expectError(.notVerified) { try trust.proof(view) }
      let moved = try Self.receipt(of: 6, at: 4, in: log)
      expectError(.notVerified) { try trust.proof(moved) }
    }
  }
}
