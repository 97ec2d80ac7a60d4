import Testing

@testable import CairnServer

@Suite struct WatchIndexTests {
  @Test func `the newest events that touch a span are found and counted without the others`() {
    var events = WatchIndex.Events()
    var all: [WatchIndex.Entry] = []
    for sequence in 1...60 as ClosedRange<UInt64> {
      let start = Int64(sequence &* 37 % 41)
      let duration = Int64(sequence % 7) - 1
      let entry = WatchIndex.Entry(
        id: Int(sequence), sequence: sequence, start: start, duration: duration, own: duration)
      events.insert(entry)
      all.append(entry)
      if sequence % 9 == 0 { events.putInOrder() }
    }
    events.putInOrder()
    all.sort { ($1.start, $1.sequence) < ($0.start, $0.sequence) }
    for from in [nil, 0, 7, 20, 41, 50] as [Int64?] {
      for to in [nil, -1, 0, 19, 20, 45] as [Int64?] {
        let touching = all.filter { $0.end >= from ?? .min && $0.start <= to ?? .max }
        #expect(events.touchingCount(from, to) == touching.count)
        for limit in [nil, 0, 1, 3, 100] as [Int?] {
          let found = events.touching(from, to, limit: limit)
          #expect(found.map(\.id) == touching.prefix(limit ?? .max).map(\.id))
        }
      }
    }
  }

  /// One by one in their places, these would move 700 GB.
  @Test func `events that come newest first are put in order at once`() {
    let count: UInt64 = 150_000
    var events = WatchIndex.Events()
    for sequence in 1...count {
      let start = Int64(count - sequence)
      events.insert(
        WatchIndex.Entry(id: Int(sequence), sequence: sequence, start: start, duration: 1, own: 1))
    }
    events.putInOrder()
    #expect(events.last == count)
    #expect(events.entries.map(\.start).elementsEqual(0..<Int64(count)))
    #expect(events.touching(3, 4).map(\.start) == [4, 3, 2])
  }

  @Test func `what takes another's place, or is told anew, comes when that did`() {
    var events = WatchIndex.Events()
    func insert(_ id: Int, at sequence: UInt64) {
      events.insert(
        WatchIndex.Entry(id: id, sequence: sequence, start: 7, duration: 0, own: 0))
    }
    for sequence in 1...3 as ClosedRange<UInt64> { insert(Int(sequence), at: sequence) }
    insert(2, at: 5)
    events.putInOrder()
    events.remove([2])
    #expect(events.last == 3)
    #expect(events.touching(nil, nil).map(\.id) == [3, 2, 1])
    // A store that was filled from another has ids beyond its own sequences.
    insert(900, at: 6)
    insert(7, at: 7)
    #expect(events.last == 7)
    events.remove([7])
    #expect(events.last == 6)
    events.remove([1, 3, 5, 6])
    #expect(events.last == 0)
    insert(1, at: 8)
    #expect(events.last == 8)
  }
}
