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
    }
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
}
