/// A change of schema that is to be recorded.
struct SchemaProposal {
  enum Action {
    case set(SchemaDefinition)
    case undo
  }

  let action: Action
  /// The event that asked for it, where there is one: its time, id and other keys are kept.
  var asked: Event?

  init(_ action: Action, asked: Event? = nil) {
    self.action = action
    self.asked = asked
  }

  /// The versions with this one; nil where it changes nothing.
  /// - Throws: `.noSuchPoint` when there is nothing to undo; `.badSchema` where another schema was
  ///   set since this one was read, and it does not follow on that.
  func applied(to history: SchemaHistory) throws(CairnError) -> SchemaHistory? {
    switch action {
    case .set(let definition):
      guard definition != history.definition else { return nil }
      do throws(SchemaFault) { try definition.checkSteps(after: history.definition) } catch {
        throw CairnError(.badSchema, error.line)
      }
      return history.proposing(definition, at: .max, .latest)
    case .undo:
      guard let next = history.proposingUndo(at: .max, .latest) else {
        throw CairnError(.noSuchPoint, "there is no schema to undo")
      }
      return next
    }
  }

  /// The event, of a history that ends with it.
  func event(_ next: SchemaHistory) throws(CairnError) -> EncodedEvent {
    guard let version = next.versions.last else {
      throw CairnError(.internal, "a change of schema makes no version")
    }
    var event = asked ?? Event(kind: .schema)
    event.extras["version"] = .number(String(version.version))
    event.extras["parent"] = .number(String(version.parent))
    event.extras["reverts"] = version.reverts.map { .number(String($0)) }
    event.extras["definition"] = version.definition.document
    return try event.encoded(byEngine: true)
  }
}

extension SchemaLens {
  /// Whether projections by the version that one history ends with are others than by that of
  /// another.
  static func isOther(_ one: SchemaHistory, _ other: SchemaHistory) -> Bool {
    SchemaLens(one)?.shapeName ?? "" != SchemaLens(other)?.shapeName ?? ""
  }
}
