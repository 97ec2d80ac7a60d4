import Foundation
import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("Large documents, many terms, many documents") struct ScaleTests {
  @Test func `a document of ten megabytes is found, pending and merged`() throws {
    var fixture = try Fixture()
    var text = ""
    text.reserveCapacity(10_500_000)
    // Long words keep the count of tokens, and the time of a debug build, in bounds.
    let filler = String(repeating: "x", count: 200)
    var number = 0
    while text.utf8.count < 10_000_000 {
      text += "word\(number % 5_000) \(filler) "
      number += 1
    }
    text += "needle in haystack"
    try fixture.apply([(1, [(.title, "Big"), (.text, text)]), (2, [(.title, "needle")])])
    for _ in 0..<2 {
      #expect(try fixture.items("needle") == [2, 1])
      #expect(try fixture.items("\"needle in haystack\"") == [1])
      #expect(try fixture.items("big word4999") == [1])
      try fixture.merge()
    }
    #expect(try fixture.recomputedDigest() == fixture.digest())
  }

  @Test func `a hundred thousand distinct terms come back each`() throws {
    var fixture = try Fixture()
    let events: [(item: UInt32, fields: Fixture.Fields?)] = (0..<2_500).map { item in
      let words = (0..<40).map { "t\(String(UInt32(item * 40 + $0) &* 2_654_435_761, radix: 36))" }
      return (UInt32(item), [(.text, words.joined(separator: " "))])
    }
    try fixture.apply(events)
    let count = try fixture.environment.read {
      (txn: borrowing ReadTransaction) throws(CairnError) in
      try txn.count(fixture.environment[IndexTables.termsName])
    }
    #expect(count >= 100_000)
    for item in stride(from: 0, to: 2_500, by: 97) {
      let word = "t\(String(UInt32(item * 40 + 7) &* 2_654_435_761, radix: 36))"
      #expect(
        try fixture.items(word) {
          $0.exact = true;
          $0.prefixLast = false
        } == [UInt32(item)])
    }
    #expect(try fixture.recomputedDigest() == fixture.digest())
  }

  @Test func `merging in steps changes neither digest nor hits`() throws {
    var text = RandomText(random: SeededGenerator(seed: 5))
    var fixture = try Fixture()
    for _ in 0..<14 { try fixture.apply(text.events(100, items: 4_000)) }
    let digest = try fixture.digest()
    let requests = (0..<20).map { _ in text.request(head: 1_400) }
    let expected = try requests.map { try fixture.search($0) }
    try fixture.merge(force: false)
    let state = try fixture.environment.read {
      (txn: borrowing ReadTransaction) throws(CairnError) in
      try IndexState(txn, fixture.index.tables)
    }
    #expect(state.mergedDocument > 0)
    #expect(try fixture.digest() == digest)
    #expect(try fixture.recomputedDigest() == digest)
    for (request, hits) in zip(requests, expected) { #expect(try fixture.search(request) == hits) }
  }

  private static let corpus = "corpora/debian-63k.jsonl.zst"

  @Test(.enabled(if: SharedData.has(corpus)))
  func `package descriptions are found by name, word and phrase`() throws {
    let data = try SharedData.data(Self.corpus)
    var fixture = try Fixture()
    var events: [(item: UInt32, fields: Fixture.Fields?)] = []
    var titles: [String] = []
    for line in data.split(separator: 10, maxSplits: 3_000).prefix(3_000) {
      guard let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let title = object["title"] as? String, let text = object["text"] as? String,
        let keywords = object["keywords"] as? String
      else { continue }
      titles.append(title)
      events.append(
        (UInt32(events.count), [(.title, title), (.keywords, keywords), (.text, text)]))
    }
    try #require(events.count > 1_000)
    try fixture.apply(events)
    for (item, title) in titles.enumerated() where item % 50 == 0 {
      let found = try fixture.items(title) {
        $0.prefixLast = false;
        $0.typoTolerant = false
      }
      #expect(found.first == UInt32(item), "\(title)")
    }
    #expect(try fixture.recomputedDigest() == fixture.digest())
  }
}
