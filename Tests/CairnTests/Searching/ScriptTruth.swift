import Cairn
import Foundation
import Glibc

/// What a search should find, decided without the analyzer.
struct ScriptTruth {
  /// Texts by item, in compatibility form.
  private let texts: [String: [String]]
  private let words: [String: Set<String>]

  init(texts: [String: [String]]) {
    self.texts = texts.mapValues { $0.map(\.precomposedStringWithCompatibilityMapping) }
    words = texts.mapValues { Set($0.flatMap(Self.words)) }
  }

  /// Items one of whose texts has these very characters side by side.
  func containing(_ query: String) -> Set<String> {
    let needle = query.precomposedStringWithCompatibilityMapping
    return Set(texts.filter { $0.value.contains { Self.contains($0, needle) } }.keys)
  }

  /// Items that have all words of the query.
  func having(_ query: String) -> Set<String> {
    let wanted = Self.words(query)
    return Set(words.filter { !wanted.isEmpty && wanted.allSatisfy($0.value.contains) }.keys)
  }

  /// Letters with their marks between everything else; Arabic and Hebrew vowel points, which few
  /// people type, left out.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      let isPointed = (0x590...0x6FF).contains(scalar.value)
      if scalar.isMark && isPointed || scalar.value == 0x640 || isJoiner(scalar) { continue }
      if scalar.isMark || scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word))
        word.removeAll()
      }
    }
    return word.isEmpty ? words : words + [String(word)]
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
  }

  /// By bytes: String's own search compares whole characters.
  private static func contains(_ text: String, _ needle: String) -> Bool {
    unsafe strstr(text, needle) != nil
  }
}

extension Moment {
  /// Ids of everything a query finds, in order.
  func all(_ text: String, isExact: Bool) throws -> [String] {
    var request = SearchRequest(text)
    request.isExact = isExact
    request.limit = nil
    return try search(request).map(\.item)
  }
}

/// A store that holds nothing but these texts: the first is the title, the others texts.
func withTexts<R>(_ texts: [String: [String]], _ body: (Moment) throws -> R) async throws -> R {
  try await withStore { store in
    let events = texts.sorted { $0.key < $1.key }.map { item, texts in
      index(
        item, title: texts.first ?? "",
        texts.count > 1 ? ["textContent": .array(texts.dropFirst().map { .string($0) })] : [:])
    }
    try await store.append(events)
    return try body(try store.at())
  }
}
