import Events

extension SchemaReader {
  private enum Word: String, CaseIterable {
    case rename, split, join, map, convert, `default`, drop, move

    /// The keys a step of this sort has, besides `domain`, `op` and `note`.
    var keys: Set<String> {
      switch self {
      case .rename: ["from", "to"]
      case .split: ["from", "to", "at"]
      case .join: ["from", "to", "with"]
      case .map: ["key", "values", "else"]
      case .convert: ["key", "to"]
      case .default: ["key", "value"]
      case .drop: ["key"]
      case .move: ["to"]
      }
    }
  }

  static func steps(_ json: SchemaJSON, at place: JSONPlace) throws(SchemaFault) -> [UpcasterStep] {
    guard case .array(let elements) = json else {
      throw SchemaFault(place, .type, "an array of steps belongs here, not \(json.typeName)")
    }
    guard elements.count <= SchemaLimits.stepCount else {
      throw SchemaFault(place, .limit, "at most \(SchemaLimits.stepCount) steps can be listed")
    }
    var steps: [UpcasterStep] = []
    for (index, element) in elements.enumerated() {
      steps.append(try step(element, at: place / index))
    }
    return steps
  }

  private static func step(_ json: SchemaJSON, at place: JSONPlace) throws(SchemaFault)
    -> UpcasterStep
  {
    let untyped = try SchemaCursor(json, at: place, keys: nil)
    let word: Word = try untyped.requiredWord("op")
    let cursor = try SchemaCursor(json, at: place, keys: word.keys.union(["domain", "op", "note"]))
    let domain = try cursor.requiredString("domain")
    if !domain.isEmpty, let fault = CairnError(domain: domain) {
      throw SchemaFault(place / "domain", .name, fault.message)
    }
    var step = UpcasterStep(domain: domain, try operation(word, cursor))
    step.note = try cursor.string("note")
    try checkNames(step, at: place)
    return step
  }

  private static func operation(_ word: Word, _ cursor: SchemaCursor) throws(SchemaFault)
    -> UpcasterStep.Operation
  {
    switch word {
    case .rename: return .rename(from: try source(cursor, "from"), to: try made(cursor, "to"))
    case .split: return try split(cursor)
    case .join: return try join(cursor)
    case .map: return try map(cursor)
    case .convert:
      let key = try source(cursor, "key")
      let type: DeclaredType = try cursor.requiredWord("to")
      guard type != .keyword, type != .place else {
        throw SchemaFault(
          cursor.place / "to", .type, "values become integer, decimal, time, boolean or text")
      }
      return .convert(key: key, to: type)
    case .default:
      let key = try made(cursor, "key")
      return .default(key: key, value: try value(cursor))
    case .drop: return .drop(key: try source(cursor, "key"))
    case .move:
      let to = try cursor.requiredString("to")
      if let fault = CairnError(domain: to) {
        throw SchemaFault(cursor.place / "to", .name, fault.message)
      }
      return .move(to: to)
    }
  }

  private static func split(_ cursor: SchemaCursor) throws(SchemaFault) -> UpcasterStep.Operation {
    let from = try source(cursor, "from")
    let at = try separator(cursor, "at")
    guard case .array = try cursor.required("to") else {
      return .splitIntoArray(from: from, to: try made(cursor, "to"), at: at)
    }
    let to = try cursor.strings("to") ?? []
    for (index, name) in to.enumerated() {
      if let fault = AttributeName.fault(name) {
        throw SchemaFault(cursor.place / "to" / index, .name, fault)
      }
    }
    guard !to.isEmpty else { throw SchemaFault(cursor.place / "to", .limit, "name a key at least") }
    return .split(from: from, to: to, at: at)
  }

  private static func join(_ cursor: SchemaCursor) throws(SchemaFault) -> UpcasterStep.Operation {
    let to = try made(cursor, "to")
    let with = try separator(cursor, "with")
    guard case .array = try cursor.required("from") else {
      return .joinArray(from: try source(cursor, "from"), to: to, with: with)
    }
    let from = try cursor.strings("from") ?? []
    for (index, name) in from.enumerated() {
      try checkSource(name, at: cursor.place / "from" / index)
    }
    guard !from.isEmpty else {
      throw SchemaFault(cursor.place / "from", .limit, "name a key at least")
    }
    return .join(from: from, to: to, with: with)
  }

  private static func map(_ cursor: SchemaCursor) throws(SchemaFault) -> UpcasterStep.Operation {
    let key = try source(cursor, "key")
    let table = try SchemaCursor(
      try cursor.required("values"), at: cursor.place / "values", keys: nil)
    guard table.all.count <= SchemaLimits.mapValueCount else {
      throw SchemaFault(
        table.place, .limit, "a map has at most \(SchemaLimits.mapValueCount) values")
    }
    // In the table's own order each goes to the end.
    let members = table.all.sorted { $0.key.precedesCanonically($1.key) }
    var values: KeyOrdered<AttributeValue> = [:]
    for member in members {
      values[member.key] = try AttributeValue(
        member.value, at: table.place / member.key, allowsArray: false)
    }
    var otherwise: AttributeValue?
    if let json = cursor["else"] {
      otherwise = try AttributeValue(json, at: cursor.place / "else", allowsArray: false)
    }
    return .map(key: key, values: values, otherwise: otherwise)
  }

  private static func value(_ cursor: SchemaCursor) throws(SchemaFault) -> AttributeValue {
    let json = try cursor.required("value")
    let place = cursor.place / "value"
    try json.checkDefaultSize(at: place)
    let value = try AttributeValue(json, at: place, allowsArray: true)
    if case .null = value { throw SchemaFault(place, .type, "null is no value") }
    return value
  }

  /// The name of a key that a step reads: any that an event may have, for older events kept to no
  /// rules.
  private static func source(_ cursor: SchemaCursor, _ key: String) throws(SchemaFault) -> String {
    let name = try cursor.requiredString(key)
    try checkSource(name, at: cursor.place / key)
    return name
  }

  private static func checkSource(_ name: String, at place: JSONPlace) throws(SchemaFault) {
    guard !name.isEmpty, name.utf8.count <= SchemaLimits.nameByteCount,
      !EngineAttributes.contains(name), !name.utf8.contains(0)
    else {
      throw SchemaFault(
        place, .name, "a key has 1 to \(SchemaLimits.nameByteCount) bytes and is not Cairn's own")
    }
  }

  /// The name of a key that a step makes.
  private static func made(_ cursor: SchemaCursor, _ key: String) throws(SchemaFault) -> String {
    let name = try cursor.requiredString(key)
    if let fault = AttributeName.fault(name) { throw SchemaFault(cursor.place / key, .name, fault) }
    return name
  }

  private static func separator(_ cursor: SchemaCursor, _ key: String) throws(SchemaFault) -> String
  {
    let text = try cursor.requiredString(key)
    guard (1...SchemaLimits.separatorByteCount).contains(text.utf8.count) else {
      throw SchemaFault(
        cursor.place / key, .limit,
        "a separator has 1 to \(SchemaLimits.separatorByteCount) bytes")
    }
    return text
  }

  /// Whether a step says something by itself.
  private static func checkNames(_ step: UpcasterStep, at place: JSONPlace) throws(SchemaFault) {
    if case .move(let to) = step.operation {
      guard !DomainPath.covers(step.domain, to) else {
        throw SchemaFault(place / "to", .upcaster, "a domain cannot move to itself or below itself")
      }
      return
    }
    var names: Set<String> = []
    for name in step.takenKeys where !names.insert(name).inserted {
      throw SchemaFault(place / "from", .upcaster, "one name stands here twice")
    }
    for name in step.madeKeys where !names.insert(name).inserted {
      throw SchemaFault(
        place / "to", .upcaster,
        step.takenKeys.contains(name) ? "a key cannot become itself" : "one name stands here twice")
    }
  }
}
