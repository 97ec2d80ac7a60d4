enum DistanceReader {
  enum Unit {
    case seconds(Int64)
    case months(Int)
  }

  /// Numbers and units in turn, apart or together; nil when it is anything else.
  static func parts(_ words: ArraySlice<Substring>) -> [(count: Int, unit: Unit)]? {
    var parts: [(Int, Unit)] = []
    var count: Int?
    for word in words {
      var rest = word
      if word == "a" || word == "an" || word == "one" {
        guard count == nil else { return nil }
        count = 1
        continue
      }
      while !rest.isEmpty {
        let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
        if !digits.isEmpty {
          guard count == nil, let number = Int(digits), number <= 100_000_000 else { return nil }
          count = number
          rest = rest.dropFirst(digits.count)
          continue
        }
        let letters = rest.prefix { $0.isLetter }
        guard let number = count, let unit = unit(letters) else { return nil }
        parts.append((number, unit))
        count = nil
        rest = rest.dropFirst(letters.count)
      }
    }
    return count == nil ? parts : nil
  }

  private static func unit(_ name: Substring) -> Unit? {
    switch name {
    case "s", "sec", "secs", "second", "seconds": .seconds(1)
    case "m", "min", "mins", "minute", "minutes": .seconds(60)
    case "h", "hr", "hrs", "hour", "hours": .seconds(3_600)
    case "d", "day", "days": .seconds(86_400)
    case "w", "wk", "week", "weeks": .seconds(604_800)
    case "mo", "month", "months": .months(1)
    case "y", "yr", "year", "years": .months(12)
    default: nil
    }
  }
}
