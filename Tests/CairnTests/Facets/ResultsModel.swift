import Cairn

/// What order, counts and groups come to, from nothing but shown attributes and the rules.
struct ResultsModel {
  static let keys = ["year", "price", "seen", "good", "kinds", "extra"]

  /// Whether kindss of the domain `a` have at most four characters.
  var hasShortKinds = false

  /// A value as a place in one order: numbers as a double and what is left of a whole number.
  enum Place: Hashable, Comparable {
    case number(Double, Int64)
    case bytes([UInt8])

    static func < (one: Place, other: Place) -> Bool {
      switch (one, other) {
      case (.number(let one, let rest), .number(let other, let more)):
        one != other ? one < other : rest < more
      case (.bytes(let one), .bytes(let other)): one.lexicographicallyPrecedes(other)
      default: false
      }
    }
  }

  func places(_ item: Item, _ key: String) -> [Place] {
    var elements: [AttributeValue]
    switch item.attributes[key] {
    case nil: return []
    case .array(let list)?:
      guard key == "kinds" else { return [] }
      elements = list
    case let value?: elements = [value]
    }
    let domain = item.domain ?? ""
    if key == "kinds", hasShortKinds, domain == "a" || domain.hasPrefix("a.") {
      for case .string(let text) in elements where text.unicodeScalars.count > 4 { elements = [] }
    }
    var found: Set<Place> = []
    for element in elements {
      guard let place = Self.place(element, key) else { return [] }
      found.insert(place)
    }
    return found.sorted()
  }

  static func place(_ element: AttributeValue, _ key: String) -> Place? {
    switch (key, element) {
    case ("year", .integer(let whole)), ("price", .integer(let whole)),
      ("extra", .integer(let whole)):
      .number(Double(whole), whole &- (Int64(exactly: Double(whole)) ?? whole))
    case ("year", .double(let number)), ("price", .double(let number)):
      .number(number == 0 ? 0 : number, 0)
    case ("seen", .string(let text)):
      Timestamp(rfc3339: text).map { .number(Double($0.seconds), Int64($0.nanoseconds)) }
    case ("good", .bool(let flag)): .number(flag ? 1 : 0, 0)
    case ("kinds", .string(let text)), ("title", .string(let text)): .bytes(Array(text.utf8))
    default: nil
    }
  }

  func sorted(_ items: [Item], _ order: AttributeOrder) -> [Item] {
    func place(_ item: Item) -> Place? {
      let all = places(item, order.key)
      return order.isDescending ? all.last : all.first
    }
    return items.sorted { one, other in
      switch (place(one), place(other)) {
      case (let first?, let second?) where first != second:
        return order.isDescending ? first > second : first < second
      case (nil, .some): return false
      case (.some, nil): return true
      default: return one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
      }
    }
  }

  /// How often each value occurs, in the order of the answer.
  func counts(_ items: [Item], _ key: String) -> [(place: Place, count: Int)] {
    var counts: [Place: Int] = [:]
    for item in items { for place in places(item, key) { counts[place, default: 0] += 1 } }
    return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

}
