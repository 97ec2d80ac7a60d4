import EventLog
import Events
import Testing

@Suite struct ScanTests {
  @Test func `a scan gives what a read gives, whatever the page`() throws {
    let scratch = Scratch()
    let log = try scratch.open()
    var events = try (0..<3_000).map { try EncodedEvent.view("item-\($0)") }
    for place in stride(from: 100, to: 3_000, by: 500) {
      events[place] = try .view(String(repeating: "long", count: 900) + "\(place)")
    }
    _ = try log.append(events)
    _ = try log.erase(
      [1, 300, 1_100, 3_000], recording: Event(kind: .purge).encoded(byEngine: true))
    for range in [1...3_001, 1...256, 257...1_280, 1_280...1_281, 2_999...3_001]
      as [ClosedRange<UInt64>]
    {
      var read: [StoredEvent] = []
      try log.read(from: range.lowerBound, through: range.upperBound) {
        read.append(copy $0)
        return true
      }
      var scanned: [StoredEvent] = []
      var items: [ArraySlice<UInt8>?] = []
      try log.scan(from: range.lowerBound, through: range.upperBound) { event, buffer, layout in
        scanned.append(copy event)
        items.append(layout.item.map { buffer[$0] })
        return true
      }
      #expect(scanned.map(\.sequence) == read.map(\.sequence))
      #expect(
        try items
          == read.map { read in try EventLayout(read.payload).item.map { read.payload[$0] } })
      #expect(scanned.map(\.header) == read.map(\.header))
      #expect(scanned.map(\.time) == read.map(\.time))
    }
    var count = 0
    try log.scan { _, _, _ in
      count += 1
      return count < 400
    }
    #expect(count == 400)
  }
}
