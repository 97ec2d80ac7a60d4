import EventLog
import HashTree
import TestSupport
import Testing

@Suite struct NamedPointTests {
  @Test func `points are kept until they are deleted, each name once`() throws {
    let scratch = Scratch()
    let point = NamedPoint(
      name: "vor dem Umzug", sequence: 3, recorded: Timestamp(seconds: -5, nanoseconds: 7),
      created: Timestamp(seconds: 9), root: HashTree.leaf([1]), items: 12)
    var empty = point
    empty.name = "0-leer"
    empty.sequence = 0
    empty.recorded = nil
    do {
      let log = try scratch.open()
      #expect(try log.namedPoints() == [])
      #expect(try log.createNamedPoint(point))
      #expect(try log.createNamedPoint(empty))
      #expect(try !log.createNamedPoint(point))
      log.close()
    }
    let log = try scratch.open()
    #expect(try log.namedPoint(point.name) == point)
    #expect(try log.namedPoint("nobody") == nil)
    #expect(try log.namedPoint("") == nil)
    #expect(try log.namedPoints() == [empty, point])
    #expect(try log.deleteNamedPoint(point.name))
    #expect(try !log.deleteNamedPoint(point.name))
    #expect(try log.namedPoints() == [empty])
    for name in ["", String(repeating: "n", count: 481)] {
      var wrong = point
      wrong.name = name
      expectError(.badArgument) { try log.createNamedPoint(wrong) }
    }
  }

  @Test func `metadata is set, read, listed and removed`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    #expect(try log.metadata("origin") == nil)
    try log.setMetadata([1, 2, 3], for: "origin")
    try log.setMetadata([], for: "migrations")
    #expect(try log.metadata("origin") == [1, 2, 3])
    #expect(try log.metadata("migrations") == [])
    #expect(try log.metadataKeys() == ["migrations", "origin"])
    try log.setMetadata(nil, for: "migrations")
    #expect(try log.metadataKeys() == ["origin"])
    expectError(.badArgument) {
      try log.setMetadata([UInt8](repeating: 0, count: 1_891), for: "large")
    }
  }
}
