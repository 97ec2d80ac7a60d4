import Events
import Testing

@Suite struct `An encoded event` {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `gives back every field, through bytes and through JSON`(_ seed: UInt64) throws {
    var random = RandomEvents(seed: seed)
    for round in 0..<80 {
      let event = random.event()
      let encoded = try event.encoded()
      let back = try Event(
        encoded.payload, kind: encoded.kind, id: encoded.id, recorded: encoded.recorded)
      #expect(back == event, "seed \(seed), round \(round)")
      #expect(try back.encoded() == encoded, "seed \(seed), round \(round)")

      var line: [UInt8] = []
      let hash = Hash32(bytes: 1...32)
      try RecordedEvent(sequence: 7, event: event, leafHash: hash).appendJSON(to: &line)
      #expect(try EventLine.parse(line) == encoded, "seed \(seed), round \(round)")
      #expect(!line.contains(UInt8(ascii: "\n")))
      let recorded = RecordedEvent(sequence: 7, event: event, leafHash: hash)
      #expect(try recorded.json == String(decoding: line, as: UTF8.self))
      #expect(try Event(json: recorded.json) == back, "seed \(seed), round \(round)")
    }
  }

  @Test func `is read from JSON as a line is, or refused with its place`() throws {
    let event = try Event(json: #" {"kind":"view","item":"a","x":{"y":[1]}} "#)
    #expect(event.kind == .view && event.item == "a" && event.extras.count == 1)
    #expect(throws: CairnError.self) { try Event(json: #"{"kind":"view"}"#) }
    #expect(throws: CairnError.self) { try Event(json: #"{"kind":"purge"}"#) }
    #expect(throws: CairnError.self) { try Event(json: "") }
  }

  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `never traps on damaged bytes, and has one form only`(_ seed: UInt64) throws {
    var random = RandomEvents(seed: seed)
    var survivors = 0
    for round in 0..<80 {
      let event = random.event()
      let payload = try event.encoded().payload
      for _ in 0..<12 {
        let damaged = damage(payload, &random)
        guard let kept = try? Event(damaged, kind: event.kind) else { continue }
        survivors += 1
        guard let again = try? kept.encoded() else { continue }
        #expect(again.payload == damaged, "seed \(seed), round \(round)")
      }
    }
    #expect(survivors > 0)
  }

  /// Flips, cuts, repeats and overwrites, then goes through everything that reads bytes.
  private func damage(_ payload: [UInt8], _ random: inout RandomEvents) -> [UInt8] {
    var bytes = payload
    for _ in 0..<random.number(1...3) {
      guard !bytes.isEmpty else { break }
      let place = random.number(0...bytes.count - 1)
      switch random.number(0...4) {
      case 0: bytes[place] ^= 1 << UInt8(random.number(0...7))
      case 1: bytes[place] = random.pick([0, 0x17, 0x18, 0x1b, 0x3b, 0x5b, 0x7b, 0x9b, 0xbb, 0xff])
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.insert(bytes[place], at: place)
      default: bytes.remove(at: place)
      }
    }
    let encoded = EncodedEvent(kind: .index, payload: bytes)
    let whole = EncodedEvent(kind: .index, payload: payload)
    _ = try? encoded.hasSameContent(as: whole, upcasting: UpcasterChain([]))
    _ = AttributeMap.merging(bytes, 0..<bytes.count, with: payload, 0..<payload.count)
    var cursor = AttributeCursor(bytes, bytes.count / 2..<bytes.count)
    while let (_, value) = cursor.next() {
      guard case .array(let range) = value else { continue }
      var elements = ElementCursor(bytes, range)
      while elements.next() != nil {}
    }
    var json: [UInt8] = []
    try? EventJSON.append(EncodedEvent(kind: .view, schema: 2, payload: bytes), to: &json)
    return bytes
  }

  @Test func `is refused where a line would be`() throws {
    let wrong: [(Event, Fault)] = [
      (Event(kind: .view), .missing), (Event(kind: .view, item: ""), .value),
      (Event(kind: .view, item: String(repeating: "a", count: 4097)), .size),
      (Event(kind: .view, item: "a", domain: .value("a..b")), .value),
      (Event(kind: .delete, item: "a", all: true), .value), (Event(kind: .delete), .missing),
      (Event(kind: .delete, domain: .cleared), .missing),
      (Event(kind: .select, item: "a", attributes: ["title": .string("t")]), .value),
      (Event(kind: .view, item: "a", attributes: ["n": .double(.nan)]), .number),
      (Event(kind: .view, item: "a", attributes: ["n": .array([.array([])])]), .value),
      (Event(kind: .select, item: "a", position: 0), .value),
      (Event(kind: .view, item: "a", dwell: -1), .value),
      (Event(kind: .view, item: "a", latency: .infinity), .value),
      (Event(kind: .view, item: "a", schema: 3), .schema),
      (Event(kind: .view, item: "a", extras: ["x": .number("01")]), .number),
      (Event(kind: .purge), .kind),
    ]
    for (index, (event, fault)) in wrong.enumerated() {
      let error = #expect(throws: CairnError.self, "number \(index)") { try event.encoded() }
      #expect(try fault.matches(#require(error)), "number \(index)")
    }
    #expect(throws: Never.self) { try Event(kind: .purge).encoded(byEngine: true) }
  }

  @Test func `keeps texts apart that Unicode calls equal`() throws {
    let composed = Event(kind: .view, item: "é")
    let decomposed = Event(kind: .view, item: "e\u{301}")
    #expect(composed != decomposed)
    #expect(try composed.encoded() != decomposed.encoded())
    let attributes: Attributes = ["é": .integer(1), "e\u{301}": .integer(2)]
    #expect(attributes.count == 2)
    #expect(attributes["é"] == .integer(1))
  }
}
