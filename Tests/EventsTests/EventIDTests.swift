import Events
import Testing

@Suite struct `An event's identity` {
  @Test func `is a UUID in either case, written in lower case`() throws {
    let id = try #require(EventID(uuidString: "6BA7B810-9DAD-11d1-80B4-00C04fD430c8"))
    #expect(id.uuidString == "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    #expect(EventID(bytes: id.bytes) == id)
    #expect(id.bytes.first == 0x6b && id.bytes.last == 0xc8)
  }

  @Test(arguments: [
    "", "6ba7b8109dad11d180b400c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430c",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8a", "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
    "6ba7b810-9dad-11d1-80b4-00c04fd430cg", "6ba7b810_9dad-11d1-80b4-00c04fd430c8",
    "6ba7b810-9dad-11d1-80b40-0c04fd430c8",
  ]) func `is refused in any other form`(_ text: String) {
    #expect(EventID(uuidString: text) == nil)
  }

  @Test func `grows within a process, whatever the clock does`() {
    var previous = EventID.timeOrdered(at: Timestamp(seconds: 1_700_000_000))
    for step in 0..<10_000 {
      let next = EventID.timeOrdered(at: Timestamp(seconds: 1_700_000_000 - Int64(step % 7)))
      #expect((previous.high, previous.low) < (next.high, next.low))
      #expect(next.high >> 12 & 0xf == 7)
      #expect(next.low >> 62 == 2)
      previous = next
    }
  }
}
