/// A text pattern made ready: folded, cut at its stars, with a table for linear search.
///
/// The text between two stars is a segment. Segments are found from left to right, each as early as
/// possible; that finds a match when there is one, because an earlier start never ends later.
struct CompiledPattern: Sendable {
  private let segments: [PatternSegment]
  private let startsOpen: Bool
  private let endsOpen: Bool
  private let words: Bool
  private let folding: Folding

  init(_ pattern: TextPattern) {
    folding = Folding(pattern.options)
    words = pattern.options.contains(.words)
    let folding = folding
    let pieces = pattern.elements.split(separator: .anyRun, omittingEmptySubsequences: false).map {
      PatternSegment($0, folding)
    }
    // A piece may be empty because nothing but diacritics was in it.
    startsOpen = pieces.count > 1 && pieces.first?.isEmpty == true
    endsOpen = pieces.count > 1 && pieces.last?.isEmpty == true
    segments = pieces.filter { !$0.isEmpty }
  }

  /// Whether the text matches; `inWords` adds what `w` means.
  /// - Complexity: O(text + pattern); O(text × pattern) only for segments with `?`.
  func matches(_ utf8: Span<UInt8>, inWords: Bool, using text: inout TextUnits) -> Bool {
    guard !segments.isEmpty else {
      if startsOpen { return true }
      text.assign(utf8, folding: folding)
      return text.count == 0
    }
    let inWords = words || inWords
    if !inWords, !startsOpen, segments.count == 1,
      let answer = segments[0].beginsASCII(utf8, toEnd: !endsOpen, folding)
    {
      return answer
    }
    text.assign(utf8, folding: folding)
    return matches(text, inWords: inWords)
  }

  private func matches(_ text: TextUnits, inWords: Bool) -> Bool {
    let startsAnywhere = startsOpen || inWords
    let endsAnywhere = endsOpen || inWords
    var position = 0
    for (index, segment) in segments.enumerated() {
      let isFirst = index == 0
      let isLast = index == segments.count - 1
      let bound = PatternSegment.Bounds(
        startsAtWord: isFirst && inWords && !startsOpen, endsAtWord: isLast && inWords && !endsOpen,
        startsHere: isFirst && !startsAnywhere, endsAtEnd: isLast && !endsAnywhere)
      guard let end = segment.firstMatch(in: text, from: position, bound) else { return false }
      position = end
    }
    return true
  }
}
