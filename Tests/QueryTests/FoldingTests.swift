import Foundation
import TestSupport
import Testing

@testable import Query

struct FoldingTests {
  private func decomposed(_ text: String) -> [UInt32] {
    folded(text, [])
  }

  private func folded(_ text: String, _ options: TextPattern.Options) -> [UInt32] {
    var units: [UInt32] = []
    var folder = CharacterFolder()
    for character in text { folder.append(character.unicodeScalars, Folding(options), to: &units) }
    return units
  }

  /// Whether Unicode 15, the release of ICU's data, has the scalar.
  private func isKnown(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.properties.age?.major ?? 99) <= 15
  }

  @Test func `Decomposition agrees with Foundation for all of Unicode`() {
    var failures: [UInt32] = []
    for value in UInt32(0)...0x10_FFFF {
      // One in 97 of the blocks that are arithmetic or never decompose.
      let isUniform = (0x3400..<0xD7A4).contains(value) || value >= 0x2_FA20
      if isUniform && value % 97 != 0 { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      let expected = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
      let units = decomposed(String(scalar))
      if units != expected, isKnown(scalar) { failures.append(value) }
    }
    #expect(failures == [])
  }

  @Test func `Marks come in canonical order`() {
    let marks: [Unicode.Scalar] = [
      "\u{301}", "\u{323}", "\u{308}", "\u{345}", "\u{5B8}", "\u{334}",
    ]
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      var text = String.UnicodeScalarView(["a"])
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        if let mark = marks.randomElement(using: &random) { text.append(mark) }
      }
      let expected = String(text).decomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
      #expect(decomposed(String(text)) == expected)
    }
  }

  @Test func `A character of more marks than any language has keeps them all`() {
    let text = "a" + String(repeating: "\u{301}\u{323}", count: 100_000)
    #expect(decomposed(text).count == 200_001)
    #expect(folded(text, [.ignoresCase, .ignoresDiacritics]) == [0x61])
  }

  @Test func `A match may begin where Swift begins a character, and nowhere else`() {
    let scalars: [Unicode.Scalar] = [
      "a", "B", " ", "\r", "\n", "\u{0}", "\u{AD}", "\u{E9}", "\u{301}", "\u{323}", "\u{3B1}",
      "\u{5D0}", "\u{5B8}", "\u{600}", "\u{E01}", "\u{E33}", "\u{E34}", "\u{915}", "\u{94D}",
      "\u{937}", "\u{93F}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{AC00}", "\u{AC01}", "\u{200D}",
      "\u{3042}", "\u{304C}", "\u{3099}", "\u{4EAC}", "\u{FE0F}", "\u{FF76}", "\u{FF9E}",
      "\u{1F1E6}", "\u{1F1E7}", "\u{1F468}", "\u{1F3FD}", "\u{A9}", "\u{2FA1D}",
    ]
    var random = SeededGenerator(seed: 3)
    var units = TextUnits()
    for _ in 0..<4_000 {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...8, using: &random)).map { _ in random.pick(scalars) }))
      units.assign(text.utf8.span, folding: Folding([]))
      let starts = (0..<units.count).filter { units.isCharacterStart($0) }
      var expected: [Int] = []
      var count = 0
      for character in text {
        expected.append(count)
        count += decomposed(String(character)).count
      }
      #expect(starts == expected && units.count == count, "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func `A letter and its two cases fold alike`() {
    var failures: [UInt32] = []
    for value in UInt32(0)...0x1_FFFF {
      // Dotless i has the upper case of i and is another letter all the same.
      guard value != 0x131, let scalar = Unicode.Scalar(value) else { continue }
      let cases = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
      let own = folded(String(scalar), .ignoresCase)
      let isAlike = cases.allSatisfy { folded($0, .ignoresCase) == own }
      if !isAlike, isKnown(scalar), cases.allSatisfy({ $0.unicodeScalars.allSatisfy(isKnown) }) {
        failures.append(value)
      }
    }
    #expect(failures == [])
  }
}
