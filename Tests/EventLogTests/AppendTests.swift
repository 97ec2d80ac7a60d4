import EventLog
import Events
import TestSupport
import Testing

@Suite struct AppendTests {
  @Test func `sequences are 1, 2, 3 … and survive closing`() throws {
    let scratch = Scratch()
    do {
      let log = try scratch.open()
      #expect(try log.head().sequence == 0)
      let receipt = try log.append([.view("a"), .view("b")])
      #expect(receipt.outcomes == [.appended(1), .appended(2)])
      #expect(receipt.first == 1)
      #expect(receipt.last == 2)
      log.close()
    }
    let log = try scratch.open()
    #expect(try log.append([.view("c")]).outcomes == [.appended(3)])
    #expect(try log.all().map(\.sequence) == [1, 2, 3])
    #expect(try log.all().map { try $0.item } == ["a", "b", "c"])
    #expect(try log.verify().problems == [])
  }

  @Test func `appends handed over one after the other are answered in any order`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let id = EventID(high: 7, low: 7)
    let first = try log.submit([.view("a", id: id), .view("b")])
    let second = try log.submit([.view("c")], expected: .exactly(2))
    let third = try log.submit([.view("d")], expected: .exactly(2))
    let last = try log.submit([.view("a", id: id), .view("e")])
    #expect(try last.wait().outcomes == [.duplicate(1), .appended(4)])
    #expect(throws: CairnError.self) { try third.wait() }
    #expect(try first.wait().outcomes == [.appended(1), .appended(2)])
    #expect(try second.wait().outcomes == [.appended(3)])
    #expect(try first.wait().outcomes == [.appended(1), .appended(2)])
    #expect(try log.all().map { try $0.item } == ["a", "b", "c", "e"])
  }

  @Test func `the same id twice is one event, with other content it is rejected`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let id = EventID(high: 7, low: 7)
    let other = EventID(high: 1, low: 9)
    let receipt = try log.append([
      .view("a", id: id), .view("b"), .view("a", id: id), .view("x", id: id), .view("c", id: other),
    ])
    #expect(
      receipt.outcomes == [
        .appended(1), .appended(2), .duplicate(1), .rejected(.otherContent(1)), .appended(3),
      ])
    let again = try log.append([.view("c", id: other), .view("y", id: id), .view("a", id: id)])
    #expect(again.outcomes == [.duplicate(3), .rejected(.otherContent(1)), .duplicate(1)])
    #expect(again.first == nil)
    #expect(try log.head().sequence == 3)
  }

  @Test func `another time is other content, the one that the log gave is not`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let (id, other) = (EventID(high: 7, low: 7), EventID(high: 8, low: 8))
    let late = Timestamp(seconds: 5)
    let receipt = try log.append([
      .view("a", id: id), .view("a", id: id, time: late), .view("a", id: id, recorded: late),
      .view("b", id: other, time: late), .view("b", id: other),
    ])
    #expect(
      receipt.outcomes == [
        .appended(1), .rejected(.otherContent(1)), .duplicate(1), .appended(2),
        .rejected(.otherContent(2)),
      ])
    let given = try #require(try log.event(at: 1)).time
    let again = try log.append([
      .view("a", id: id, time: late), .view("a", id: id, time: given), .view("a", id: id),
      .view("b", id: other), .view("b", id: other, time: late),
    ])
    #expect(
      again.outcomes == [
        .rejected(.otherContent(1)), .duplicate(1), .duplicate(1), .rejected(.otherContent(2)),
        .duplicate(2),
      ])
  }

  @Test func `an id that the log made is known again until its event is erased`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try log.append((0..<20).map { try .view("item \($0)") })
    let event = try #require(try log.event(at: 13))
    #expect(event.facts.hasGeneratedID)
    #expect(try log.sequence(of: event.id) == 13)
    let again = try EncodedEvent.view("item 12", id: event.id)
    let other = try EncodedEvent.view("item 11", id: event.id)
    #expect(
      try log.append([again, other]).outcomes == [.duplicate(13), .rejected(.otherContent(13))])
    _ = try log.erase([13], recording: EncodedEvent(kind: .purge, payload: [0xa0]))
    #expect(try log.sequence(of: event.id) == nil)
    #expect(try log.append([again]).outcomes == [.appended(22)])
    #expect(try log.append([again]).outcomes == [.duplicate(22)])
    #expect(try log.verify().problems == [])
    let ids = try log.all().map(\.id)
    #expect(Set(ids).count == ids.count)
  }

  @Test func `an expected sequence that differs appends nothing`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    _ = try log.append([.view("a")], expected: .exactly(0))
    expectError(.conflict) {
      try log.append([.view("b")], expected: .exactly(0))
    }
    _ = try log.append([.view("b")], expected: .exactly(1))
    #expect(try log.head().sequence == 2)
  }

  @Test(arguments: [0, 1, 1_700, 1_756, 1_757, 1_758, 1_759, 5_000, 200_000])
  func `a payload of any length comes back`(byteCount: Int) throws {
    let scratch = Scratch()
    let log = try scratch.open()
    var generator = SeededGenerator(seed: UInt64(byteCount))
    let payload = generator.bytes(byteCount)
    _ = try log.append([
      .view("before"), EncodedEvent(kind: .view, payload: payload), .view("after"),
    ])
    #expect(try log.event(at: 2)?.payload == payload)
    #expect(try log.all().map(\.payload)[1] == payload)
    #expect(try log.event(at: 3)?.item == "after")
    #expect(try log.verify().problems == [])
  }

  @Test func `too much at once is refused whole, one event too large alone`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let event = try EncodedEvent.view("a")
    expectError(.badArgument) {
      try log.append(Array(repeating: event, count: LogLimits.requestEventCount + 1))
    }
    let large = [UInt8](repeating: 0, count: LogLimits.payloadByteCount + 1)
    let receipt = try log.append([event, EncodedEvent(kind: .view, payload: large), event])
    #expect(receipt.outcomes == [.appended(1), .rejected(.tooLarge), .appended(2)])
  }

  @Test func `an append that is to be whole gets in whole or not at all`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    let event = try EncodedEvent.view("a")
    let large = EncodedEvent(
      kind: .view, payload: [UInt8](repeating: 0, count: LogLimits.payloadByteCount + 1))
    let error = expectError(.badEvent) { try log.append([event, large, event], isWhole: true) }
    #expect(error?.place == "event 2")
    #expect(try log.head().sequence == 0)
    let receipt = try log.append([event, event], isWhole: true)
    #expect(receipt.outcomes == [.appended(1), .appended(2)])
  }

  @Test func `concurrent appends all get in, each once`() async throws {
    let scratch = Scratch()
    let log = try scratch.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for step in 0..<10 {
            let receipt = try await log.append([.view("\(task) \(step)")])
            let sequence = try #require(receipt.first)
            #expect(try log.event(at: sequence)?.item == "\(task) \(step)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try log.head().sequence == 160)
    #expect(Set(try log.all().map(\.payload)).count == 160)
    #expect(try log.verify().problems == [])
  }
}
