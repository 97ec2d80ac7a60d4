import Foundation
import TestSupport

extension SeededGenerator {
  mutating func uuid() -> String {
    let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &self), radix: 16) }
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { digits[$0].joined() }.joined(separator: "-")
  }
}

/// A made-up history in which items come, change, are looked at, go and come back.
struct MadeUpHistory {
  private static let words = [
    "harbour", "lantern", "orchard", "granite", "meadow", "compass", "thunder", "velvet",
    "cinnamon", "glacier", "walnut", "ember", "juniper", "marble", "sparrow", "tundra",
  ]

  /// One event a line, each with its id and its time.
  let lines: [Data]
  let ids: [String]

  init(count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines: [Data] = []
    var ids: [String] = []
    for number in 0..<count {
      let item = "item-\(Int.random(in: 0..<max(1, count / 6), using: &random))"
      let id = random.uuid()
      let time = 1_700_000_000 + number * 7
      var event: [String: Any] = ["item": item, "id": id, "time": time, "recorded": time]
      let title = (0..<4).map { _ in Self.words.randomElement(using: &random) ?? "" }
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40:
        event["kind"] = "index"
        event["domain"] = "made.\(Int.random(in: 0..<5, using: &random)).up"
        event["attributes"] = ["title": title.joined(separator: " "), "version": number]
      case 40..<55:
        event["kind"] = "update"
        event["attributes"] = ["contentDescription": title.reversed().joined(separator: " ")]
      case 55..<62: event["kind"] = "delete"
      case 62..<70:
        event["kind"] = "select"
        event["query"] = title[0]
      default:
        event["kind"] = "view"
        event["actor"] = "actor-\(number % 3)"
      }
      lines.append(try JSONSerialization.data(withJSONObject: event, options: .sortedKeys))
      ids.append(id)
    }
    self.lines = lines
    self.ids = ids
  }

  var data: Data {
    lines.reduce(into: Data()) {
      $0 += $1
      $0.append(0x0A)
    }
  }
}
