import TestSupport
import Testing

@testable import TextIndex

@Suite struct DocumentBitsTests {
  @Test(arguments: [1, 2, 7, 200]) func `bits tell what a search of the list tells`(spread: UInt32)
    throws
  {
    var random = SeededGenerator(seed: UInt64(spread))
    var documents: [UInt32] = []
    var last: UInt32 = 0
    for _ in 0..<700 {
      last += UInt32.random(in: 1...spread, using: &random)
      documents.append(last)
    }
    let bits = try #require(DocumentBits(documents))
    let places = Dictionary(uniqueKeysWithValues: zip(documents, documents.indices))
    for document in 0...last + 130 {
      #expect(bits.contains(document) == (places[document] != nil))
      if let place = places[document] { #expect(bits.index(of: document) == place) }
    }
    // The first common document from each of some places of another list on.
    let other = (0..<last + 90).filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
    let selected = other.indices.filter { $0 % 3 != 0 }.map { UInt32($0) }
    let end = selected.count - 4
    for start in stride(from: 0, to: selected.count, by: 11) {
      let expected = (start..<max(start, end)).first { place in
        let document = other[Int(selected[place])]
        return document > last || places[document] != nil
      }
      let found = bits.first(of: selected, in: other, from: start, to: end)
      #expect(found == expected ?? max(start, end))
    }
  }

  @Test func `lists that are thin, empty or damaged have none`() {
    #expect(DocumentBits([]) == nil)
    #expect(DocumentBits([257]) == nil)
    #expect(DocumentBits([256]) != nil)
    #expect(DocumentBits([1, 2, 2, 3]) == nil)
    #expect(DocumentBits([1, 9, 3]) == nil)
    #expect(DocumentBits([3, 1, 9]) == nil)
  }
}
