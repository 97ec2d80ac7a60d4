import Cairn
import Foundation
import Testing

/// Moments as Foundation has them.
@Suite struct FoundationTimeTests {
  @Test func `a moment keeps its microsecond as a date and back`() {
    var state: UInt64 = 7
    for _ in 0..<10_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let time = Timestamp(microseconds: Int64(state >> 13))
      #expect(Timestamp(Date(time)) == time)
    }
    #expect(
      Date(timeIntervalSince1970: 1_800_000_000.1).attributeValue.string?.hasSuffix("00.100Z")
        == true)
    #expect(Timestamp(Date.distantFuture) == Timestamp(rfc3339: "4001-01-01T00:00:00Z"))
  }

  @Test func `the point of a date has what was recorded by then`() async throws {
    try await withStore { store in
      for number in 1...20 {
        let event = try await store.append(index("\(number)", title: "x")).event
        let recorded = Date(try #require(event.recorded))
        #expect(try store.at(.time(recorded)).sequence == UInt64(number))
        #expect(try store.at(.time(Date())).sequence == UInt64(number))
      }
      #expect(throws: CairnError.self) {
        try store.at(.time(Date(timeIntervalSinceNow: 60)))
      }
    }
  }
}
