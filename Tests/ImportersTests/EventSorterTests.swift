import Events
import Foundation
import TestSupport
import Testing

@testable import Importers

/// The order of an import that does not fit in memory, against a sort that does.
@Suite struct EventSorterTests {
  private static func entry(_ number: Int, time: Int64, payload: [UInt8]) -> SortedEntry {
    let event = EncodedEvent(
      kind: .view, id: EventID(high: UInt64(number), low: 7),
      recorded: Timestamp(microseconds: time), time: Timestamp(microseconds: time), schema: 0,
      payload: payload)
    var identity = Identity("row")
    if number % 4 == 0 { identity.add(time: time) }
    identity.addCount()
    identity.add(payload)
    return SortedEntry(
      event: event, time: time, file: number % 3, place: .row(Int64(number)),
      isPageVisit: number % 2 == 0, isRedirect: number % 5 == 0,
      counted: number % 3 == 0 ? identity : nil)
  }

  @Test(arguments: [0, 1, 40, 3_000])
  func `events come in the order of time, and those of one time as they came`(count: Int) throws {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "sorter-\(UUID())").path
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var random = SeededGenerator(seed: UInt64(count))
    // Few times and little memory: many events of one time, in many files.
    let sorter = EventSorter(scratch: scratch, rowByteCountMax: 20_000)
    var wanted: [(time: Int64, number: Int, byteCount: Int)] = []
    for number in 0..<count {
      let time = Int64.random(in: -20...20, using: &random)
      let byteCount = Int.random(in: 0...400, using: &random)
      wanted.append((time, number, byteCount))
      let payload = [UInt8](repeating: UInt8(number % 251), count: byteCount)
      try sorter.add(Self.entry(number, time: time, payload: payload))
    }
    wanted.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    var given: [SortedEntry] = []
    try sorter.forEach { (entry) throws(CairnError) in given.append(entry) }
    #expect(given.map(\.place) == wanted.map { .row(Int64($0.number)) })
    #expect(given.map(\.time) == wanted.map(\.time))
    #expect(given.map(\.event.payload.count) == wanted.map(\.byteCount))
    #expect(given.allSatisfy { $0.isRedirect == ($0.place.number % 5 == 0) })
    // Files without a name leave nothing behind.
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch).isEmpty)
  }

  @Test func `ids of what has a time are in the order of time, and differ within it`() {
    let ids = DerivedID(key: [1])
    let times: [Int64] = [0, 999, 1_000, 1_700_000_000_000_000, 4_000_000_000_000_000]
    let visits = times.map { ids.make(.pageVisit("https://a.test/", $0)) }
    #expect(visits[0].high >> 16 == 0 && visits[1].high >> 16 == 0 && visits[0] != visits[1])
    #expect(visits[1...].map(\.high) == visits[1...].map(\.high).sorted())
    for id in visits { #expect(id.high >> 12 & 15 == 8 && id.low >> 62 == 2) }
    let other = ids.make(.pageVisit("https://b.test/", times[3]))
    #expect(other.high >> 16 == visits[3].high >> 16 && other.low != visits[3].low)
    #expect(DerivedID(key: [2]).make(.pageVisit("https://b.test/", times[3])) != other)
  }

  @Test func `a merge comes to every event that was read, also to those it does not give`() throws {
    let text = #"[{"url":"https://a.example/","dt":1700000000,"metadata":{"title":"A"}}]"#
    let run = ImportRun(options: ImportedHistory.options, ids: DerivedID(key: [1])) { _, _, _, _ in
    }
    for name in ["first.json", "second.json"] {
      try run.read(try MadeFile.file(name, text), as: BrowserExport.self)
    }
    var given = 0
    for _ in 1...2 {
      try run.forEachEvent { (_) throws(CairnError) in given += 1 }
      #expect(run.count == 2 && run.mergedCount == 2)
    }
    #expect(given == 2, "one of each time")
  }
}
