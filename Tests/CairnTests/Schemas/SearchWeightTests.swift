import Foundation
import TestSupport
import Testing

@testable import Cairn

/// What a declared weight makes of scores, by a model that has read the formula only.
@Suite struct SearchWeightTests {
  private static let words = ["harbour", "ferry", "boat", "quay", "night", "tram"]
  /// Attributes by the class that their text counts in, from titles to body text.
  private static let kinds = [
    "title": 0, "keywords": 1, "genre": 1, "mark": 1, "contentDescription": 2, "a": 2, "b": 2,
    "textContent": 3,
  ]
  private static let declared = ["title", "keywords", "mark", "a", "b", "textContent"]

  private struct Version {
    var item: String
    var sequence: UInt64
    var texts: [String: String]
  }

  private static func schema(_ random: inout SeededGenerator) -> (
    weights: [String: Double], [UInt8]
  ) {
    var weights: [String: Double] = [:]
    for key in declared {
      weights[key] = [1, 0.01, 100, 0.37, 2, 5e-5, 33].randomElement(using: &random)
    }
    let attributes = weights.sorted { $0.key < $1.key }.map { key, weight in
      let type =
        ["keywords", "mark"].contains(key) ? #""type":"keyword","multi":true"# : #""type":"text""#
      return #""\#(key)":{\#(type),"searchable":true,"weight":\#(weight)}"#
    }
    let all = attributes.joined(separator: ",")
    let file = #"{"cairnSchema":1,"domains":{"":{"attributes":{\#(all)}}}}"#
    return (weights, Array(file.utf8))
  }

  private static func texts(_ number: UInt64, _ random: inout SeededGenerator) -> [String: String] {
    var texts = ["contentDescription": "number\(number)"]
    for key in kinds.keys.sorted() where Bool.random(using: &random) {
      let length = Int.random(in: 1...(kinds[key] == 3 ? 300 : 12), using: &random)
      let found = (0..<length).map { _ in words.randomElement(using: &random) ?? "" }
      texts[key, default: ""] += " " + found.joined(separator: " ")
    }
    return texts
  }

  private static func event(_ version: Version) -> Event {
    var attributes: Attributes = [:]
    for (key, text) in version.texts {
      attributes[key] =
        ["keywords", "mark", "genre"].contains(key) ? .array([.string(text)]) : .string(text)
    }
    return .index(version.item, attributes: attributes)
  }

  /// x of the formula, as it is kept.
  private static func worth(_ word: String, _ texts: [String: String], _ weights: [String: Double])
    -> Double
  {
    var (sums, counts, lengths) = ([0.0, 0, 0, 0], [0.0, 0, 0, 0], [0.0, 0, 0, 0])
    for (key, text) in texts {
      let (kind, found) = (kinds[key] ?? 0, text.split(separator: " "))
      let weight = Double(Float(weights[key] ?? 1))
      let count = found.count { $0 == word }
      lengths[kind] += Double(found.count)
      sums[kind] += weight * Double(count)
      counts[kind] += Double(count)
    }
    guard counts.contains(where: { $0 > 0 }) else { return 0 }
    var (sum, plain) = (0.0, 0.0)
    for kind in 0..<4 {
      let (b, average) = ([0.3, 0.3, 0.3, 0.75][kind], [5.0, 8, 25, 120][kind])
      let share = [5, 3, 1.5, 1][kind] / (1 - b + b / average * lengths[kind])
      sum += share * sums[kind]
      plain += share * counts[kind]
    }
    if plain <= 1.0 / 16 { sum = sum / plain / 16 }
    if plain >= 16 { sum = sum / plain * 15.75 }
    guard sum >= 1.0 / 512 else { return max(1, floor(sum * 16_384)) / 16_384 }
    // A power of two below it, in 32nds.
    let step = pow(2, floor(log2(sum))) / 32
    return floor(sum / step) * step
  }

  private static func expect(
    _ store: Store, _ versions: [Version], _ weights: [String: Double], asOf point: UInt64?
  ) throws {
    let known = versions.filter { $0.sequence <= point ?? .max }
    var present: [String: Version] = [:]
    for version in known { present[version.item] = version }
    for word in words {
      let count = Double(known.count { worth(word, $0.texts, weights) > 0 })
      let rarity = log(1 + (Double(known.count) - count + 0.5) / (count + 0.5))
      var expected: [String: Double] = [:]
      for version in present.values {
        let worth = worth(word, version.texts, weights)
        guard worth > 0 else { continue }
        expected[version.item] = rarity * (2.6 - 1.6 * 2.6 / (1.6 + worth))
      }
      for limit in [nil, 3] {
        var request = SearchRequest(word)
        (request.isExact, request.explains, request.limit) = (true, true, limit)
        let moment = try store.at(point.map { .sequence($0) } ?? .head)
        let hits = try moment.search(request)
        #expect(hits.count == min(expected.count, limit ?? .max))
        for hit in hits {
          let (text, wanted) = (try #require(hit.explanation).text, expected[hit.item] ?? -1)
          #expect(abs(text - wanted) <= 1e-9 * wanted, "\(word) in \(hit.item): \(text), \(wanted)")
        }
      }
    }
  }

  @Test(arguments: 0..<6)
  func `a weight multiplies what its field gives, of many fields and after each change`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    try await withStore { store in
      var versions: [Version] = []
      for round in 0..<3 {
        let (weights, file) = Self.schema(&random)
        try store.setSchema(try store.readSchema(file))
        try Self.expect(store, versions, weights, asOf: nil)
        let head = try store.at().sequence
        for number in 1...25 {
          let sequence = head + UInt64(number)
          versions.append(
            Version(
              item: "i\(Int.random(in: 0..<20, using: &random))", sequence: sequence,
              texts: Self.texts(sequence, &random)))
        }
        try store.appendBlocking(versions.suffix(25).map(Self.event))
        try Self.expect(store, versions, weights, asOf: nil)
        try Self.expect(store, versions, weights, asOf: UInt64(round * 26 + 13))
      }
      #expect(try store.verify(deep: true).problems.isEmpty)
      let results = try #require(try store.rebuild())
      #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter })
    }
  }
}
