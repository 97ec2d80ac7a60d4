import Events
import Testing

@Suite struct `A map of attributes` {
  @Test(arguments: [31, 32, 33] as [UInt64]) func `merges as a dictionary would`(_ seed: UInt64)
    throws
  {
    var random = RandomEvents(seed: seed)
    for round in 0..<80 {
      var base = random.event().attributes
      for member in base where member.value == .null { base[member.key] = nil }
      var update = random.event().attributes
      // Names in common, or nothing would ever be replaced.
      for member in base where random.chance(2) {
        update[member.key] = random.chance(2) ? .null : .string(random.text(0...5))
      }
      var expected = base
      for member in update { expected[member.key] = member.value == .null ? nil : member.value }
      var old: [UInt8] = [0, 0]
      try base.encode(to: &old)
      var new: [UInt8] = []
      try update.encode(to: &new)
      let merged = AttributeMap.merging(old, 2..<old.count, with: new, 0..<new.count)
      var canonical: [UInt8] = []
      try expected.encode(to: &canonical)
      #expect(merged == canonical, "seed \(seed), round \(round)")
      #expect(
        try Attributes(encoded: merged, 0..<merged.count) == expected,
        "seed \(seed), round \(round)")
    }
  }

  @Test func `indexed is the map without its nulls`() throws {
    let attributes: Attributes = ["a": .null, "b": .integer(1), "ccc": .null]
    var bytes: [UInt8] = []
    try attributes.encode(to: &bytes)
    let stored = AttributeMap.merging(AttributeMap.empty, 0..<1, with: bytes, 0..<bytes.count)
    #expect(try Attributes(encoded: stored, 0..<stored.count) == ["b": .integer(1)])
  }

  @Test func `is walked in canonical order, shorter names first`() throws {
    let line =
      #"{"kind":"view","item":"i","attributes":{"zz":1,"a":[2,"x"],"b":{"base64":"AQ=="}}}"#
    let event = try EventLine.parse(Array(line.utf8))
    let layout = try EventLayout(event.payload)
    var cursor = AttributeCursor(event.payload, try #require(layout.attributes))
    var seen: [String] = []
    while let (key, value) = cursor.next() {
      seen.append(try event.payload.text(key))
      switch value {
      case .integer(let number): seen.append("\(number)")
      case .data(let range): seen.append("\(Array(event.payload[range]))")
      case .array(let range):
        var elements = ElementCursor(event.payload, range)
        while let element = elements.next() {
          seen.append("\(try AttributeValue(element, event.payload))")
        }
      default: Issue.record("unexpected value")
      }
    }
    #expect(seen == ["a", "integer(2)", "string(\"x\")", "b", "[1]", "zz", "1"])
  }
}
