/// Sequences of events as runs of neighbours: `3-7,9`.
package enum SequenceRanges {
  /// Ascending sequences as ranges.
  package static func of(_ ascending: some Sequence<UInt64>) -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = []
    for sequence in ascending {
      if let last = ranges.last, last.upperBound + 1 == sequence {
        ranges[ranges.count - 1] = last.lowerBound...sequence
      } else {
        ranges.append(sequence...sequence)
      }
    }
    return ranges
  }

  /// Ranges as people write them.
  package static func text(_ ranges: [ClosedRange<UInt64>]) -> String {
    ranges.map {
      $0.lowerBound == $0.upperBound ? String($0.lowerBound) : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ",")
  }

  /// Reads what people write; nil for what is no such text.
  ///
  /// Sequences begin with 1.
  package static func ranges(_ text: String) -> [ClosedRange<UInt64>]? {
    var ranges: [ClosedRange<UInt64>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        0 < first, first <= last
      else { return nil }
      ranges.append(first...last)
    }
    return ranges
  }

  /// What the record of a purge says of ascending sequences: pairs of first and last.
  package static func json(of ascending: [UInt64]) -> JSONValue {
    .array(
      of(ascending).map {
        .array([.number(String($0.lowerBound)), .number(String($0.upperBound))])
      })
  }

  /// Reads what ``json(of:)`` wrote; nil for anything else.
  package static func ranges(_ json: JSONValue?) -> [ClosedRange<UInt64>]? {
    guard let pairs = json?.array else { return nil }
    var ranges: [ClosedRange<UInt64>] = []
    for pair in pairs {
      guard let bounds = pair.array, bounds.count == 2, let first: UInt64 = bounds[0].number(),
        let last: UInt64 = bounds[1].number(), first <= last
      else { return nil }
      ranges.append(first...last)
    }
    return ranges
  }
}
