public import Events

extension SchemaDefinition {
  /// Reads a schema file that is to follow on a definition.
  /// - Parameters:
  ///   - file: The bytes, at most 1 MiB.
  ///   - parent: The definition in force.
  /// - Throws: `SchemaFault` for the first rule that is broken.
  /// - Complexity: O(bytes).
  public init(parsing file: [UInt8], after parent: SchemaDefinition = .none) throws(SchemaFault) {
    try self.init(try SchemaJSON(parsing: file), after: parent)
  }

  /// Reads a definition that was recorded, or came as part of an event.
  /// - Throws: the first rule that the document breaks.
  public init(_ document: JSONValue, after parent: SchemaDefinition = .none) throws(SchemaFault) {
    try self.init(SchemaJSON(document), after: parent)
  }

  /// Reads what was recorded: how it follows on its parent was checked then.
  package init(recorded document: JSONValue) throws(SchemaFault) {
    let reader = try SchemaReader(SchemaJSON(document), isRecorded: true)
    self.init(domains: reader.domains, upcasters: reader.upcasters, document: document)
  }

  private init(_ json: SchemaJSON, after parent: SchemaDefinition) throws(SchemaFault) {
    let reader = try SchemaReader(json)
    self.init(domains: reader.domains, upcasters: reader.upcasters, document: json.value)
    try checkSteps(after: parent)
  }

  /// The steps that this definition has beyond its parent's.
  package func steps(after parent: SchemaDefinition) -> ArraySlice<UpcasterStep> {
    upcasters.dropFirst(parent.upcasters.count)
  }

  // MARK: How it follows on its parent

  /// Checks that the steps go on from a parent's.
  /// - Throws: The first rule that is broken.
  package func checkSteps(after parent: SchemaDefinition) throws(SchemaFault) {
    let place = JSONPlace.root / "upcasters"
    for (index, step) in parent.upcasters.enumerated() {
      guard index < upcasters.count, upcasters[index].doesTheSame(as: step) else {
        throw SchemaFault(
          index < upcasters.count ? place / index : place, .upcaster,
          "the list must begin with the \(parent.upcasters.count) steps in force; add at its end")
      }
    }
    try checkMadeKeys(from: parent.upcasters.count, at: place)
  }

  /// Checks the keys that a change's own steps make.
  private func checkMadeKeys(from first: Int, at place: JSONPlace) throws(SchemaFault) {
    /// A key that a step made, and how it is called by now.
    struct Made {
      var domain: String
      var key: String
      var step: Int
      var name: String
    }
    var made: [Made] = []
    var makers: Set<[String]> = []
    for index in first..<upcasters.count {
      let step = upcasters[index]
      if case .move(let to) = step.operation {
        for place in made.indices {
          let moved = DomainPath.moved(made[place].domain, from: step.domain, to: to)
          made[place].domain = moved ?? made[place].domain
        }
        continue
      }
      made.removeAll {
        DomainPath.covers(step.domain, $0.domain) && step.takenKeys.contains($0.key)
      }
      for (number, key) in step.madeKeys.enumerated() {
        var name = "to"
        if case .default = step.operation {
          name = "key"
        } else {
          guard makers.insert([step.domain, key]).inserted else {
            throw SchemaFault(
              place / index / "to", .upcaster, "another step of this change makes the key too")
          }
        }
        if case .split = step.operation { name = "to/\(number)" }
        made.append(Made(domain: step.domain, key: key, step: index, name: name))
      }
    }
    for made in made {
      guard isLost(made.key, in: made.domain, after: made.step) else { continue }
      var place = place / made.step
      for part in made.name.split(separator: "/") { place = place / String(part) }
      throw SchemaFault(
        place, .upcaster, "the schema does not know the key that this makes; declare it")
    }
  }

  /// Whether a key that a step makes in a domain is unknown there, or in a declared domain below
  /// it where no later step takes it away.
  private func isLost(_ key: String, in domain: String, after step: Int) -> Bool {
    func isUnknown(in domain: String) -> Bool {
      let rules = effective(domain)
      return rules.unknown != .keep && !rules.isKnown(key)
    }
    if isUnknown(in: domain) { return true }
    let takers = upcasters.dropFirst(step + 1).filter { $0.takenKeys.contains(key) }
    return domains.contains { member in
      DomainPath.covers(domain, member.key) && isUnknown(in: member.key)
        && !takers.contains { DomainPath.covers($0.domain, member.key) }
    }
  }
}
