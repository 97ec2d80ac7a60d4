import Foundation
import Testing

/// What somebody who has the store can find out about events that were purged.
@Suite struct `Guessing at purged events` {
  private static let guesses = (0..<20).map { number in
    "192.0.2.\(number) - - [17/May/2015:10:05:\(10 + number) +0000] "
      + #""GET /page/\#(number) HTTP/1.1" 200 1"#
  }

  private static func ids(of store: Store) throws -> [UUID] {
    try store.run("log", "--json").objects().filter { $0["kind"] as? String != "purge" }.map {
      try #require(($0["id"] as? String).flatMap { UUID(uuidString: $0) })
    }
  }

  private static func bytes(_ id: UUID) -> Data {
    let digits = Array(id.uuidString.filter { $0 != "-" })
    return Data(
      stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) })
  }

  /// Files under a folder that hold one of these ids, as bytes or as text.
  private static func files(with ids: [UUID], in store: Store) -> [String] {
    let forms = ids.flatMap { id in
      [
        bytes(id), Data(id.uuidString.utf8), Data(id.uuidString.lowercased().utf8),
      ]
    }
    let names = FileManager.default.enumerator(atPath: store.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { name in
      guard let bytes = FileManager.default.contents(atPath: "\(store.path)/\(name)") else {
        return false
      }
      return forms.contains { bytes.range(of: $0) != nil }
    }
  }

  private static func leaf(_ sequence: Int, of store: Store) throws -> Data {
    let proof = try store.run("prove", "inclusion", "\(sequence)", "--json").objects().first
    return try #require((proof?["leaf"] as? String).flatMap { Data(base64Encoded: $0) })
  }

  @Test func `importing guesses confirms none of them`() throws {
    let store = Store("guess")
    let log = try Scratch.file("access.log", Data(Self.guesses.joined(separator: "\n").utf8))
    #expect(try store.run("import", "access-log", log).status == 0)
    let ids = try Self.ids(of: store)
    #expect(ids.count == 20)
    // The test can fail: before the purge they are there.
    #expect(!Self.files(with: ids, in: store).isEmpty)
    let purge = try store.run(
      "purge", "--before", "2030-01-01T00:00:00Z", "--yes", "--all-of-it", "--json")
    #expect(purge.status == 0, "\(purge.errors)")
    #expect(Self.files(with: ids, in: store).isEmpty)

    #expect(try store.run("import", "access-log", log).status == 0)
    #expect(try Self.ids(of: store) == ids)
    for sequence in 1...20 {
      let leaf = try Self.leaf(sequence, of: store)
      for id in ids {
        #expect(leaf.range(of: Self.bytes(id)) == nil)
      }
      // All but place and salted commitment is the same in every leaf.
      #expect(Array(leaf.prefix(8)) == [2, 1, 0, 0, 0, 0, 0, 0] && leaf.count == 48)
    }
    #expect(try store.run("verify").status == 0)
    let doctor = try store.run("doctor", "--json").objects()
    #expect(!doctor.contains { $0["check"] as? String == "erased" })
  }

  @Test func `an id that somebody gave is in no file, and no time or kind is`() throws {
    let store = Store("given")
    let ids = (0..<300).map { _ in UUID() }
    var lines = EventLines()
    for (number, id) in ids.enumerated() {
      try lines.add([
        "kind": "index", "item": "item-\(number)", "id": id.uuidString,
        "domain": number % 10 == 0 ? "kept" : "gone",
      ])
    }
    try store.append(lines.data)
    #expect(try store.run("snapshot", "create", "then").status == 0)
    let gone = ids.enumerated().filter { $0.offset % 10 > 0 }.map(\.element)
    #expect(!Self.files(with: gone, in: store).isEmpty)
    #expect(try store.run("purge", "--domain", "gone", "--yes").status == 0)
    #expect(Self.files(with: gone, in: store).isEmpty)
    // The snapshot was of an event that is gone, and is now of the last one before it.
    let snapshot = try #require(try store.run("snapshot", "show", "then", "--json").objects().first)
    let kept = try #require(
      try store.run("log", "--from", "291", "--to", "291", "--json").objects().first)
    #expect(snapshot["recorded"] as? String == kept["recorded"] as? String)
    #expect(snapshot["items"] as? Int == 30)
    // What is left is found by its id, what is gone may come again.
    let again = try store.append(lines.data)
    #expect(again.duplicates == 30 && again.accepted == 270)
    #expect(try store.run("verify", "--deep").status == 0)
  }
}
