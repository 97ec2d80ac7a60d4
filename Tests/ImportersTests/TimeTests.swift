import Foundation
import TestSupport
import Testing

@testable import Importers

/// Times of zones and of formats.
@Suite struct TimeTests {
  private static func seconds(
    _ zone: Importers.TimeZone, _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int
  ) throws -> Int64 {
    let local = try #require(CivilTime.utc(year, month, day, hour, minute))
    return zone.utc(fromLocal: local) / 1_000_000
  }

  @Test func `a time that clocks skipped is as much later, one they showed twice the first`() throws
  {
    let found = Importers.TimeZone(named: "Europe/Berlin")
    let berlin = try #require(found)
    // Clocks went from 02:00 to 03:00 on 2024-03-31, at 01:00 UTC.
    #expect(try Self.seconds(berlin, 2024, 3, 31, 1, 59) == 1_711_846_740)
    #expect(try Self.seconds(berlin, 2024, 3, 31, 2, 30) == 1_711_848_600)
    #expect(try Self.seconds(berlin, 2024, 3, 31, 3, 0) == 1_711_846_800)
    // And back from 03:00 to 02:00 on 2024-10-27, at 01:00 UTC.
    #expect(try Self.seconds(berlin, 2024, 10, 27, 2, 30) == 1_729_989_000)
    #expect(try Self.seconds(berlin, 2024, 10, 27, 3, 0) == 1_729_994_400)
  }

  /// A file without changes has the rule alone, as slim files of the time zone database have it.
  private static func zone(_ rule: String) throws -> Importers.TimeZone {
    var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    let types: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("LMT\0".utf8)
    bytes += counts + types
    bytes += Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts + types
    let found = Importers.TimeZone(file: bytes + Array("\n\(rule)\n".utf8))
    return try #require(found)
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin"),
    ("EST5EDT,M3.2.0,M11.1.0", "America/New_York"),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "Australia/Sydney"), ("IST-5:30", "Asia/Kolkata"),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "Australia/Lord_Howe"),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "America/Nuuk"),
    ("IST-2IDT,M3.4.4/26,M10.5.0", "Asia/Jerusalem"),
  ])
  func `the rule of a zone gives what its list of changes gives`(rule: String, name: String) throws
  {
    let found = Importers.TimeZone(named: name)
    let (ruled, listed) = (try Self.zone(rule), try #require(found))
    var random = SeededGenerator(seed: 24)
    for _ in 0..<5_000 {
      // From 2024 on all of these hold; the lists end in 2037.
      let local = Int64.random(in: 1_711_900_000...2_100_000_000, using: &random) * 1_000_000
      #expect(ruled.utc(fromLocal: local) == listed.utc(fromLocal: local), "\(local)")
    }
    // And the list goes on after its end.
    let late = try #require(CivilTime.utc(2060, 7, 1, 12))
    #expect(ruled.utc(fromLocal: late) == listed.utc(fromLocal: late))
  }

  @Test(arguments: [
    "CE", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "<+03",
    "A1B,J0,J366", "",
  ])
  func `what is no rule is none`(text: String) { #expect(ZoneRule(text.utf8) == nil) }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin"), ("<+0530>-5:30", "Asia/Kolkata"),
    ("ABC5ABD", "America/New_York"), ("ABC-9", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo"),
  ])
  func `the environment may say a zone by a rule of its own`(text: String, name: String) throws {
    let found = Importers.TimeZone(variable: text)
    let named = Importers.TimeZone(named: name)
    let (said, known) = (try #require(found), try #require(named))
    for month in 1...12 {
      let local = try #require(CivilTime.utc(2026, month, 15, 12))
      #expect(said.utc(fromLocal: local) == known.utc(fromLocal: local), "\(month)")
    }
    #expect(Importers.TimeZone(variable: "No/Zone") == nil)
  }

  @Test func `a time goes out as mails have it`() {
    #expect(MailTime.text(1_033_563_600) == "Wed, 02 Oct 2002 13:00:00 GMT")
  }

  @Test func `blocks of LZ4 are unpacked, and damaged ones refused`() {
    var random = SeededGenerator(seed: 4)
    for count in [0, 1, 12, 13, 300, 5_000, 70_000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...3, using: &random) }
      let block = LZ4Sample.block(of: bytes)
      #expect(LZ4Block.unpacked(block[...], byteCount: count) == bytes)
      #expect(LZ4Block.unpacked(block[...], byteCount: count + 1) == nil)
      for _ in 0..<200 where !block.isEmpty {
        var damaged = block
        damaged[Int.random(in: 0..<block.count, using: &random)] = .random(
          in: 0...255, using: &random)
        #expect((LZ4Block.unpacked(damaged[...], byteCount: count)?.count ?? count) == count)
      }
    }
  }
}
