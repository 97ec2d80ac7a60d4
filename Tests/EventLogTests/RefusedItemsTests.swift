import Testing

@testable import EventLog

@Suite struct RefusedItemsTests {
  @Test func `the newest refused items are remembered, and of many the oldest are not`() {
    let items = RefusedItems(countMax: 3)
    for item in UInt8(0)..<7 { items.add([item], for: [100 + item]) }
    #expect(
      (UInt8(0)..<7).map { items.row(of: [$0]) != nil } == [
        false, false, false, true, true, true, true,
      ])
    #expect(items.row(of: [4]) == [104])
    // Refused again for another domain, then taken.
    items.add([4], for: [1])
    #expect(items.row(of: [4]) == [1])
    items.remove([4])
    items.remove([6])
    #expect(items.row(of: [4]) == nil && items.row(of: [6]) == nil)
    #expect(items.row(of: [5]) == [105])
  }
}
