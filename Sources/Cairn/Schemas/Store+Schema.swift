/// What an application says of its items' attributes.
extension Store {
  /// Every version of the schema, oldest first.
  /// - Complexity: O(1) where no other process set one since.
  /// - Throws: `corrupt`.
  /// - Note: Blocks the calling thread.
  public func schemaHistory() throws(CairnError) -> [SchemaVersion] {
    try schemas.history(of: log).versions
  }

  /// The version in force; nil where none was ever set.
  public var schema: SchemaVersion? {
    get throws(CairnError) { try schemas.history(of: log).versions.last }
  }

  /// The version that was in force at a point; nil where none was set by then.
  /// - Throws: `noSuchPoint`, `corrupt`.
  /// - Note: Blocks the calling thread.
  public func schema(at point: Point) throws(CairnError) -> SchemaVersion? {
    let sequence = try at(point).sequence
    return try schemas.history(of: log).versions.last { $0.sequence <= sequence }
  }

  /// Reads a schema file that is to follow on the schema in force.
  /// - Throws: `badSchema`, whose message is `POINTER: RULE: words`.
  /// - Complexity: O(bytes).
  /// - Note: Blocks the calling thread.
  public func readSchema(_ file: [UInt8]) throws(CairnError) -> SchemaDefinition {
    let parent = try schemas.history(of: log).definition
    do throws(SchemaFault) { return try SchemaDefinition(parsing: file, after: parent) } catch {
      throw CairnError(.badSchema, error.line)
    }
  }

  /// Visits the items whose shown attributes break the schema in force, or another one, in order of
  /// item, then of attribute.
  /// - Parameters:
  ///   - definition: What they would break; nil for the schema in force.
  ///   - point: When.
  ///   - domain: Only items in this domain or below it.
  ///   - body: Gets each; returns whether to go on.
  /// - Complexity: O(items); O(events) for a definition by which they would look otherwise.
  /// - Throws: `noSuchPoint`, `corrupt`, and what `body` throws.
  /// - Note: Blocks the calling thread.
  public func forEachSchemaViolation(
    of definition: SchemaDefinition? = nil, at point: Point = .head, domain: String? = nil,
    _ body: (SchemaViolation) throws(CairnError) -> Bool
  ) throws(CairnError) {
    let moment = try at(point)
    let history = try schemas.history(of: log)
    guard let definition, definition != history.definition else {
      return try moment.forEachViolation(of: history.definition, domain: domain, body)
    }
    if SchemaDifference.between(history.definition, definition).effect != .rebuild {
      return try moment.forEachViolation(of: definition, domain: domain, body)
    }
    let proposed = history.proposing(definition, at: .max, .latest)
    try withTrial(of: proposed, through: moment.sequence) { (trial) throws(CairnError) in
      try moment.asked(of: trial).forEachViolation(of: definition, domain: domain, body)
    }
  }
}

extension Moment {
  /// Visits the items whose shown attributes break a definition.
  func forEachViolation(
    of definition: SchemaDefinition, domain: String? = nil,
    _ body: (SchemaViolation) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var effective: [String: EffectiveSchema] = [:]
    try forEachItem(domain: domain) { (item) throws(CairnError) in
      let name = item.domain ?? ""
      let schema = effective[name] ?? definition.effective(name)
      effective[name] = schema
      for fault in schema.faults(ofShown: item.attributes) {
        let violation = SchemaViolation(
          item: item.id, domain: item.domain, key: fault.key, rule: fault.rule,
          sequence: item.sequence)
        guard try body(violation) else { return false }
      }
      return true
    }
  }

  func violatingItemCount(of definition: SchemaDefinition) throws(CairnError) -> Int {
    var count = 0
    var last: String?
    try forEachViolation(of: definition) { violation in
      if last?.hasBytes(of: violation.item) != true { count += 1 }
      last = violation.item
      return true
    }
    return count
  }
}
