/// One thing that a page describes, whatever syntax it was written in.
package struct Thing: Sendable, Equatable {
  package enum Syntax: String, Sendable {
    case jsonLD
    case microdata
    case rdfa
  }

  package enum Value: Sendable, Equatable {
    case text(String)
    /// A number, as it was written.
    case number(String)
    case bool(Bool)
    indirect case thing(Thing)
    /// A thing that this one is inside of, by its id.
    case reference(String)
  }

  package struct Property: Sendable, Equatable {
    /// A term of schema.org, else a full IRI.
    var name: String
    /// In the order of the page.
    var values: [Value]
    /// Where the page has each value: the byte of its tag.
    var places: [Int]
  }

  package var syntax: Syntax
  /// Terms of schema.org, else full IRIs.
  package var types: [String] = []
  /// Its IRI.
  var id: String?
  /// In the order of the page.
  var properties: [Property] = []

  /// The values of a property; O(properties).
  subscript(name: String) -> [Value] {
    properties.first { $0.name == name }?.values ?? []
  }
}

/// Gathers the values of a thing by property, in time that grows with their number.
struct ThingBuilder {
  var thing: Thing
  private var places: [String: Int] = [:]

  init(_ thing: Thing) { self.thing = thing }

  mutating func append(_ value: Thing.Value, to name: String, at tag: Int) {
    // Most values have the same name as the one before.
    let last = thing.properties.count - 1
    let isSame = last >= 0 && thing.properties[last].name == name
    if let place = isSame ? last : places[name] {
      thing.properties[place].values.append(value)
      thing.properties[place].places.append(tag)
    } else {
      places[name] = thing.properties.count
      thing.properties.append(Thing.Property(name: name, values: [value], places: [tag]))
    }
  }
}

extension Thing {
  /// The terms of schema.org by themselves, any other name as it is.
  static func term(_ name: String) -> String {
    for prefix in [
      "http://schema.org/", "https://schema.org/", "http://www.schema.org/",
      "https://www.schema.org/", "schema:",
    ] where name.hasPrefix(prefix) && name.utf8.count > prefix.utf8.count {
      return String(name.dropFirst(prefix.count))
    }
    return name
  }

  var json: JSON {
    var members = JSON.Members()
    for property in properties { members[property.name] = .array(property.values.map(\.json)) }
    return .members([
      "syntax": .string(syntax.rawValue), "type": .texts(types), "id": .text(id),
      "properties": .object(members),
    ])
  }

  /// This thing and all inside it, outermost first.
  func walk(_ visit: (Thing) -> Void) {
    visit(self)
    for property in properties {
      for case .thing(let thing) in property.values { thing.walk(visit) }
    }
  }

  /// The first thing of these, in depth-first order, that gives a value.
  static func first<Found>(in things: [Thing], _ value: (Thing) -> Found?) -> Found? {
    for thing in things {
      if let found = value(thing) { return found }
      for property in thing.properties {
        for case .thing(let inner) in property.values {
          if let found = first(in: [inner], value) { return found }
        }
      }
    }
    return nil
  }

  /// The texts of a property, collapsed, none of them empty; of a thing its name.
  func texts(_ names: String...) -> [String] {
    names.flatMap { self[$0].compactMap(\.plainText) }.distinct
  }

  /// The same of what may be written as a link of a scheme, which is a reference in RDFa.
  func texts(_ name: String, scheme: String) -> [String] {
    self[name].compactMap { value -> String? in
      if case .reference(let id) = value, id.hasPrefix(scheme) { id } else { value.plainText }
    }.distinct
  }

  /// The first text of a property.
  func text(_ names: String...) -> String? {
    for value in names.flatMap({ self[$0] }) {
      if let text = value.plainText { return text }
    }
    return nil
  }

  /// The first text of a property that is a URL, which RDFa and JSON-LD may write as a reference.
  func link(_ names: String...) -> String? {
    for value in names.flatMap({ self[$0] }) {
      if case .reference(let id) = value { return id }
      if let text = value.plainText { return text }
    }
    return nil
  }

  func things(_ name: String) -> [Thing] {
    self[name].compactMap { if case .thing(let thing) = $0 { thing } else { nil } }
  }

  func has(type: String) -> Bool { types.contains(type) }
}

extension Thing.Value {
  var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .number(let text): .number(text)
    case .bool(let value): .bool(value)
    case .thing(let thing): thing.json
    case .reference(let id): .members(["id": .string(id)])
    }
  }

  /// Whether it is a text of white space alone.
  var isBlank: Bool {
    if case .text(let text) = self { text.utf8.allSatisfy(\.isSpace) } else { false }
  }

  /// As a text; of a thing its name; nil for an empty one.
  var plainText: String? {
    switch self {
    case .text(let text): text.collapsedSpace.nonEmpty
    case .number(let text): text
    case .bool(let value): value ? "true" : "false"
    case .thing(let thing): thing.text("name", "@value")
    case .reference: nil
    }
  }
}
