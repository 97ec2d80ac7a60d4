/// The attributes of the item that a page becomes, under their Core Spotlight names where they
/// have one (web.md, section 4).
struct ItemAttributes {
  private(set) var members = JSON.Members()
  /// Values that could not be read, with the byte of their tag.
  private(set) var faults: [(message: String, place: Int)] = []
  let head: PageHead
  /// The main thing first; orphans last.
  let things: [Thing]
  let main: Thing?
  private let page: PageDocument

  init(_ head: PageHead, _ things: [Thing], main: Thing?, _ page: PageDocument) {
    self.head = head
    self.main = main
    self.page = page
    self.things = (main.map { [$0] } ?? []) + things.filter { $0 != main }
  }

  mutating func set(_ name: String, _ text: String?) {
    if let text = text?.collapsedSpace.nonEmpty { members[name] = .string(text) }
  }

  mutating func set(_ name: String, _ texts: [String]) {
    var distinct: [String] = []
    for text in texts {
      if let text = text.collapsedSpace.nonEmpty, !distinct.contains(text) { distinct.append(text) }
    }
    if !distinct.isEmpty { members[name] = .texts(distinct) }
  }

  mutating func set(_ name: String, _ number: Double?) {
    if let number { members[name] = MarkupNumber.json(number) }
  }

  mutating func setTrue(_ name: String) { members[name] = .bool(true) }

  /// Text of several lines.
  mutating func set(_ name: String, lines: [String]) {
    let kept = lines.compactMap { $0.collapsedSpace.nonEmpty }
    if !kept.isEmpty { members[name] = .string(kept.joined(separator: "\n")) }
  }

  // MARK: Values of things

  /// The first number of a property; what is there and none is a fault.
  mutating func number(_ thing: Thing, _ name: String) -> Double? {
    for property in thing.properties where property.name == name {
      for (value, place) in zip(property.values, property.places) {
        if case .number(let text) = value, let number = Double(text), number.isFinite {
          return number
        }
        guard let text = value.plainText else { continue }
        if let number = MarkupNumber.parse(text) { return number }
        faults.append(("\(name) is no number", place))
      }
    }
    return nil
  }

  mutating func date(_ thing: Thing?, _ name: String) -> String? {
    for property in thing?.properties ?? [] where property.name == name {
      for (value, place) in zip(property.values, property.places) {
        guard let text = value.plainText else { continue }
        if let date = MarkupDate(text) { return date.rfc3339 }
        faults.append(("\(name) is no date", place))
      }
    }
    return nil
  }

  mutating func seconds(_ thing: Thing?, _ name: String) -> Double? {
    for property in thing?.properties ?? [] where property.name == name {
      for (value, place) in zip(property.values, property.places) {
        guard let text = value.plainText else { continue }
        if let seconds = MarkupNumber.seconds(text) { return seconds }
        faults.append(("\(name) is no duration", place))
      }
    }
    return nil
  }

  /// The byte of an element's tag.
  func place(_ node: HTMLNodeID) -> Int { Int(page.tree[node].place) }

  /// A URL of the page made absolute.
  func absolute(_ url: String) -> String? { page.absolute(url) }

  mutating func fault(_ message: String, at place: Int) { faults.append((message, place)) }

  /// The first thing that has one of the properties.
  func first(with names: String...) -> Thing? {
    Thing.first(in: things) { thing in
      names.contains { !thing[$0].isEmpty } ? thing : nil
    }
  }

  func first(type: String) -> Thing? {
    Thing.first(in: things) { $0.has(type: type) ? $0 : nil }
  }

  /// All things of a type.
  func all(type: String) -> [Thing] {
    var result: [Thing] = []
    for thing in things {
      thing.walk { if $0.has(type: type) { result.append($0) } }
    }
    return result
  }
}
