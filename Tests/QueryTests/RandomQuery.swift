import Query
import TestSupport

/// A random query in a form of the tests' own, which can be written as text and judged naively.
indirect enum RandomQuery {
  case all([RandomQuery])
  case any([RandomQuery])
  case not(RandomQuery)
  case text(field: String, negated: Bool, [Piece], modifiers: Set<Character>)
  case number(field: String, relation: String, Double)
  case range(field: String, Double, Double)
  case date(field: String, relation: String, String)
  case present(field: String, negated: Bool)

  enum Piece: Equatable {
    case character(Character)
    case one
    case run
  }

  static let alphabet: [Character] = [
    "a", "a", "b", "B", "A", "é", "E", "ü", "ß", "が", "京", " ", "-", "+", "1",
  ]
  static let textFields = ["title", "keywords", "textContent", "com_x", "*", "**", "version"]
  static let times = [
    "$time.now", "$time.today", "$time.yesterday", "$time.this_week", "$time.last_week",
    "$time.this_month", "$time.this_year", "$time.today(-3)", "$time.this_week(1)",
    "$time.this_month(-1)", "$time.this_year(-1)", "$time.now(-86400)",
  ]

  static func make(_ random: inout SeededGenerator, depth: Int = 0) -> RandomQuery {
    switch Int.random(in: 0..<(depth < 4 ? 12 : 8), using: &random) {
    case 8, 9:
      .all((0..<Int.random(in: 2...3, using: &random)).map { _ in make(&random, depth: depth + 1) })
    case 10:
      .any((0..<Int.random(in: 2...3, using: &random)).map { _ in make(&random, depth: depth + 1) })
    case 11: .not(make(&random, depth: depth + 1))
    case 0:
      .number(
        field: random.pick(["pageCount", "rating", "title"]), relation: relation(&random),
        Double(Int.random(in: -2...4, using: &random)))
    case 1:
      .range(
        field: random.pick(["pageCount", "rating", "keywords"]),
        Double(Int.random(in: -2...2, using: &random)),
        Double(Int.random(in: 0...4, using: &random)) + 0.5)
    case 2:
      .date(
        field: random.pick(["dueDate", "importantDates", "title"]), relation: relation(&random),
        random.pick(times))
    case 3:
      .present(field: random.pick(textFields + ["dueDate", "rating"]), negated: random.once(in: 3))
    default: makeText(&random)
    }
  }

  private static func relation(_ random: inout SeededGenerator) -> String {
    random.pick(["==", "!=", "<", "<=", ">", ">="])
  }

  private static func makeText(_ random: inout SeededGenerator) -> RandomQuery {
    var pieces: [Piece] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: pieces.append(.run)
      case 2: pieces.append(.one)
      default: pieces.append(.character(random.pick(alphabet)))
      }
    }
    let modifiers = Set("cdwt".filter { _ in random.once(in: 2) })
    let field = random.pick(textFields)
    guard pieces != [], pieces.contains(where: { $0 != .run }) else {
      return pieces.isEmpty
        ? .text(field: field, negated: false, [], modifiers: modifiers)
        : .present(field: field, negated: random.once(in: 3))
    }
    return .text(field: field, negated: random.once(in: 5), pieces, modifiers: modifiers)
  }

  static func makeRecord(_ random: inout SeededGenerator) -> [String: NaiveValue] {
    func text() -> String {
      String((0..<Int.random(in: 0...7, using: &random)).map { _ in random.pick(alphabet) })
    }
    var record: [String: NaiveValue] = [:]
    for field in ["title", "textContent", "com_x", "version"] where !random.once(in: 3) {
      record[field] = .texts([text()])
    }
    if !random.once(in: 3) {
      record["keywords"] = .texts((0..<Int.random(in: 0...3, using: &random)).map { _ in text() })
    }
    for field in ["pageCount", "rating"] where !random.once(in: 3) {
      record[field] = .numbers([
        Double(Int.random(in: -3...5, using: &random)) + random.pick([0, 0.5])
      ])
    }
    for field in ["dueDate", "importantDates"] where !random.once(in: 3) {
      record[field] = .dates(
        (0..<Int.random(in: 1...2, using: &random)).map { _ in
          TramFixture.now.seconds + 3_600 * Int64.random(in: -800...800, using: &random)
        })
    }
    return record
  }
}

extension RandomQuery {
  /// The query as text, in one of the many ways to write it.
  func rendered(_ random: inout SeededGenerator) -> String {
    let text =
      switch self {
      case .all(let members): joined(members, " && ", &random)
      case .any(let members): joined(members, random.pick([" || ", "||"]), &random)
      case .not(let inner): "!(\(inner.rendered(&random)))"
      case .text(let field, let negated, let pieces, let modifiers):
        renderedText(field, negated, pieces, modifiers, &random)
      case .number(let field, let relation, let number):
        "\(field)\(random.pick([" ", ""]))\(relation) \(random.once(in: 2) ? "\(Int(number))" : "\(number)")"
      case .range(let field, let lower, let upper): "InRange(\(field), \(Int(lower)),\(upper))"
      case .date(let field, let relation, let time): "\(field) \(relation)\(time)"
      case .present(let field, let negated):
        "\(field) \(negated ? "!=" : "==") \(random.pick(["*", "\"*\"", "'*'cd"]))"
      }
    return random.once(in: 8) ? "( \(text) )" : text
  }

  private func joined(
    _ members: [RandomQuery], _ separator: String, _ random: inout SeededGenerator
  ) -> String {
    var parts: [String] = []
    for member in members {
      switch member {
      case .all, .any: parts.append("(\(member.rendered(&random)))")
      default: parts.append(member.rendered(&random))
      }
    }
    return parts.joined(separator: separator)
  }

  private func renderedText(
    _ field: String, _ negated: Bool, _ pieces: [Piece], _ modifiers: Set<Character>,
    _ random: inout SeededGenerator
  ) -> String {
    let quote = random.pick(["\"", "'"])
    let body = pieces.map { piece in
      switch piece {
      case .character(let character): random.once(in: 6) ? "\\\(character)" : "\(character)"
      case .one: "?"
      case .run: random.once(in: 6) ? "**" : "*"
      }
    }.joined()
    let letters = String(modifiers)
    let sign = negated ? "!=" : random.pick(["==", "="])
    return random.once(in: 3) && !letters.isEmpty
      ? "\(field) \(sign)[\(letters)] \(quote)\(body)\(quote)"
      : "\(field) \(sign) \(quote)\(body)\(quote)\(letters)"
  }
}
