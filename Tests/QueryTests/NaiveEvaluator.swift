import Foundation
import Query

/// A value as the naive evaluator holds it.
enum NaiveValue {
  case texts([String])
  case numbers([Double])
  case dates([Int64])

  var isEmpty: Bool {
    switch self {
    case .texts(let texts): texts.isEmpty
    case .numbers(let numbers): numbers.isEmpty
    case .dates(let dates): dates.isEmpty
    }
  }

  /// The same for the evaluator under test.
  var recordValue: RecordValue? {
    switch self {
    case .texts(let texts): texts.count == 1 ? .string(texts[0]) : .strings(texts)
    case .numbers(let numbers): numbers.first.map { .number($0) }
    case .dates(let dates):
      dates.count == 1
        ? .string(Date(timeIntervalSince1970: Double(dates[0])).ISO8601Format())
        : .dates(dates.map { Instant(seconds: $0) })
    }
  }
}

/// The semantics once more, by brute force over characters and Foundation's calendar.
enum NaiveEvaluator {
  static func holds(_ query: RandomQuery, _ record: [String: NaiveValue]) -> Bool {
    switch query {
    case .all(let members): return members.filter { !holds($0, record) }.isEmpty
    case .any(let members): return !members.filter { holds($0, record) }.isEmpty
    case .not(let inner): return holds(inner, record) ? false : true
    case .present(let field, let negated):
      return values(field, record).contains { !$0.value.isEmpty } != negated
    case .text(let field, let negated, let pieces, let modifiers):
      return text(field, pieces, modifiers, record) != negated
    case .number(let field, let relation, let number):
      return compare(relation) { relation in
        numbers(field, record).contains { holds($0, relation, number, number) }
      }
    case .range(let field, let lower, let upper):
      return numbers(field, record).contains { lower <= $0 && $0 <= upper }
    case .date(let field, let relation, let time):
      let (start, end) = interval(time)
      return compare(relation) { relation in
        dates(field, record).contains { holds(Double($0), relation, start, end) }
      }
    }
  }

  private static func compare(_ relation: String, _ test: (String) -> Bool) -> Bool {
    relation == "!=" ? !test("==") : test(relation)
  }

  private static func holds(_ value: Double, _ relation: String, _ start: Double, _ end: Double)
    -> Bool
  {
    let isInside = start == end ? value == start : value >= start && value < end
    return switch relation {
    case "==": isInside
    case "<": value < start
    case "<=": value < start || isInside
    case ">": value >= start && !isInside
    default: value >= start
    }
  }

  private static func values(_ field: String, _ record: [String: NaiveValue]) -> [(
    name: String, value: NaiveValue
  )] {
    record.filter { name, _ in
      switch field {
      case "*": name == "title" || name == "keywords"
      case "**": name == "title" || name == "keywords" || name == "textContent"
      default: name == field
      }
    }.map { ($0.key, $0.value) }
  }

  private static func numbers(_ field: String, _ record: [String: NaiveValue]) -> [Double] {
    values(field, record).flatMap {
      if case .numbers(let numbers) = $0.value { numbers } else { [Double]() }
    }
  }

  private static func dates(_ field: String, _ record: [String: NaiveValue]) -> [Int64] {
    values(field, record).flatMap {
      if case .dates(let dates) = $0.value { dates } else { [Int64]() }
    }
  }

  // MARK: Text

  private static func text(
    _ field: String, _ pieces: [RandomQuery.Piece], _ modifiers: Set<Character>,
    _ record: [String: NaiveValue]
  ) -> Bool {
    tokens(pieces, modifiers).allSatisfy { token in
      values(field, record).contains { name, value in
        guard case .texts(let texts) = value else { return false }
        return texts.contains {
          matches(
            Array($0), token, modifiers, inWords: modifiers.contains("w") || name == "textContent")
        }
      }
    }
  }

  private static func tokens(_ pieces: [RandomQuery.Piece], _ modifiers: Set<Character>)
    -> [[RandomQuery.Piece]]
  {
    guard modifiers.contains("t") else { return [pieces] }
    let tokens = pieces.split { piece in
      if case .character(let character) = piece { kind(character) > 4 } else { false }
    }.filter { $0.contains { if case .character = $0 { true } else { false } } }
    return tokens.isEmpty ? [pieces] : tokens.map(Array.init)
  }

  /// Tries every stretch of the text.
  private static func matches(
    _ text: [Character], _ pieces: [RandomQuery.Piece], _ modifiers: Set<Character>, inWords: Bool
  ) -> Bool {
    guard !pieces.isEmpty else { return text.isEmpty }
    for start in 0...text.count {
      for end in start...text.count {
        let startFits = inWords ? pieces.first == .run || isBoundary(text, start) : start == 0
        let endFits = inWords ? pieces.last == .run || isBoundary(text, end) : end == text.count
        if startFits && endFits && covers(text[start..<end], pieces[...], modifiers) { return true }
      }
    }
    return false
  }

  private static func covers(
    _ text: ArraySlice<Character>, _ pieces: ArraySlice<RandomQuery.Piece>,
    _ modifiers: Set<Character>
  ) -> Bool {
    guard let piece = pieces.first else { return text.isEmpty }
    let rest = pieces.dropFirst()
    switch piece {
    case .run: return (0...text.count).contains { covers(text.dropFirst($0), rest, modifiers) }
    case .one: return !text.isEmpty && covers(text.dropFirst(), rest, modifiers)
    case .character:
      // A run of literals is one text: `ss` may be one character of the value.
      let literal = pieces.prefix { if case .character = $0 { true } else { false } }
      let wanted = folded(
        literal.compactMap { if case .character(let c) = $0 { c } else { nil } }, modifiers)
      return (0...text.count).contains {
        folded(Array(text.prefix($0)), modifiers) == wanted
          && covers(text.dropFirst($0), pieces.dropFirst(literal.count), modifiers)
      }
    }
  }

  private static func folded(_ text: [Character], _ modifiers: Set<Character>) -> String {
    text.map { character in
      var text = String(character)
      if modifiers.contains("d") { text = ["é": "e", "ü": "u"][text] ?? text }
      if modifiers.contains("c") { text = text == "ß" ? "ss" : text.lowercased() }
      return text
    }.joined()
  }

  private static func isBoundary(_ text: [Character], _ position: Int) -> Bool {
    guard position > 0, position < text.count else { return true }
    let (before, after) = (kind(text[position - 1]), kind(text[position]))
    if before == 4 || after == 4 { return true }
    if before < 4 && after < 4 { return before == 1 && after == 2 }
    return before != after
  }

  /// 1 lower, 2 upper, 3 digit, 4 a script without blanks, 5 blank, 6 mark.
  private static func kind(_ character: Character) -> Int {
    switch character {
    case "a", "b", "é", "ü", "ß": 1
    case "A", "B", "E": 2
    case "1": 3
    case "が", "京": 4
    case " ": 5
    default: 6
    }
  }

  // MARK: Time

  private static func interval(_ time: String) -> (Double, Double) {
    let parts = time.dropFirst("$time.".count).split(separator: "(")
    let offset = parts.count > 1 ? Int(parts[1].dropLast()) ?? 0 : 0
    let now = Date(timeIntervalSince1970: Double(TramFixture.now.seconds))
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    let (unit, shift): (Calendar.Component, Int) =
      switch parts[0] {
      case "today": (.day, offset)
      case "yesterday": (.day, -1)
      case "this_week": (.weekOfYear, offset)
      case "last_week": (.weekOfYear, -1)
      case "this_month": (.month, offset)
      case "this_year": (.year, offset)
      default: (.nanosecond, 0)
      }
    guard unit != .nanosecond else {
      let instant = now.timeIntervalSince1970 + Double(offset)
      return (instant, instant)
    }
    guard let moved = calendar.date(byAdding: unit, value: shift, to: now),
      let interval = calendar.dateInterval(of: unit, for: moved)
    else { return (.nan, .nan) }
    return (interval.start.timeIntervalSince1970, interval.end.timeIntervalSince1970)
  }
}
