/// The attributes of the item that a page becomes, under their Core Spotlight names where they
/// have one.
struct ItemAttributes {
  private(set) var members = JSON.Members()
  /// Values that could not be read, with the byte of their tag.
  private(set) var faults: [(kind: MarkupFault.Kind, message: String, place: Int)] = []
  /// Bytes of all texts so far.
  private var byteCount = 0
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
    guard let text = text?.collapsedSpace.nonEmpty, takes([text], name) else { return }
    members[name] = .string(text)
  }

  mutating func set(_ name: String, _ texts: [String]) {
    let distinct = texts.compactMap(\.collapsedSpace.nonEmpty).distinct
    if !distinct.isEmpty, takes(distinct, name) { members[name] = .texts(distinct) }
  }

  /// Sets the main text, after all others: as much of it as there is room for.
  mutating func setMainText(_ text: String?) {
    guard let text else { return }
    let room = MainText.byteCountMax - byteCount
    guard text.utf8.count > room else { return members["textContent"] = .string(text) }
    faults.append((.limit, "textContent of the item is too long", 0))
    if let kept = MainText.cut(text.utf8.prefix(room)) { members["textContent"] = .string(kept) }
  }

  /// Whether texts are short enough for the item; they are left out else.
  private mutating func takes(_ texts: [String], _ name: String) -> Bool {
    let count = texts.reduce(0) { $0 + $1.utf8.count }
    guard count <= min(HTMLLimits.attributeBytes, HTMLLimits.itemBytes - byteCount) else {
      faults.append((.limit, "\(name) of the item is too long", 0))
      return false
    }
    byteCount += count
    return true
  }

  mutating func set(_ name: String, _ number: Double?) {
    // What pages count may add up to more than numbers hold, and nothing could store that.
    if let number, number.isFinite { members[name] = MarkupNumber.json(number) }
  }

  mutating func setTrue(_ name: String) { members[name] = .bool(true) }

  /// Text of several lines.
  mutating func set(_ name: String, lines: [String]) {
    let kept = lines.compactMap { $0.collapsedSpace.nonEmpty }
    if !kept.isEmpty, takes(kept, name) { members[name] = .string(kept.joined(separator: "\n")) }
  }

  // MARK: Values of things

  /// The first number of a property; what is there and none is a fault.
  mutating func number(_ thing: Thing, _ name: String) -> Double? {
    value(of: thing, name, "number") { value, text in
      if case .number = value, let number = Double(text), number.isFinite { return number }
      return MarkupNumber.parse(text)
    }
  }

  mutating func date(_ thing: Thing?, _ name: String) -> String? {
    value(of: thing, name, "date") { _, text in WrittenTime(iso: text.strippedSpace)?.rfc3339 }
  }

  mutating func seconds(_ thing: Thing?, _ name: String) -> Double? {
    value(of: thing, name, "duration") { _, text in MarkupNumber.seconds(text) }
  }

  private mutating func value<Found>(
    of thing: Thing?, _ name: String, _ kind: String, _ read: (Thing.Value, String) -> Found?
  ) -> Found? {
    for property in thing?.properties ?? [] where property.name == name {
      for (value, place) in zip(property.values, property.places) {
        guard let text = value.plainText else { continue }
        if let found = read(value, text) { return found }
        fault("\(name) is no \(kind)", at: place)
      }
    }
    return nil
  }

  /// The byte of an element's tag.
  func place(_ node: HTMLNodeID) -> Int { Int(page.tree[node].place) }

  func absolute(_ url: String) -> String? { page.absolute(url) }

  mutating func fault(_ message: String, at place: Int) { faults.append((.value, message, place)) }

  /// The first thing that has one of the properties: templates write those that are not filled in.
  func first(with names: String...) -> Thing? {
    Thing.first(in: things) { thing in
      names.contains { name in thing[name].contains { !$0.isBlank } } ? thing : nil
    }
  }

  func first(type: String) -> Thing? { Thing.first(in: things) { $0.has(type: type) ? $0 : nil } }

  func all(type: String) -> [Thing] {
    var result: [Thing] = []
    for thing in things {
      thing.walk { if $0.has(type: type) { result.append($0) } }
    }
    return result
  }
}
