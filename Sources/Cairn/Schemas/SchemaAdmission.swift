import Catalog
import EventLog
import LMDB

/// Refuses events that break the schema in force, each after those before it.
///
/// What a transaction has taken so far is not in the projections yet, so that it is kept here.
struct SchemaAdmission: EventAdmission {
  private struct Place {
    var isPresent = false
    var domain = ""
    var expires: Timestamp?
  }

  private let definition: SchemaDefinition
  private let generation: Generation?
  private let log: EventLog
  private var places: [[UInt8]: Place] = [:]
  /// Recursive deletions so far; an empty name: of everything.
  private var deletions: [String] = []
  private var effective: [[UInt8]: EffectiveSchema] = [:]

  /// Nil where every event is taken.
  init?(_ definition: SchemaDefinition, _ generation: Generation?, _ log: EventLog) {
    let hasRules = definition.domains.contains { domain in
      domain.value.unknown == .refuse || !domain.value.attributes.isEmpty
    }
    guard hasRules else { return nil }
    self.definition = definition
    self.generation = generation
    self.log = log
  }

  mutating func refusal(of event: EncodedEvent, at recorded: Timestamp) throws(CairnError)
    -> String?
  {
    let layout = try EventLayout(event.payload)
    switch event.kind {
    case .index, .update, .view, .delete: break
    case .select, .impression, .extend, .purge, .schema: return nil
    }
    guard let range = layout.item else {
      noteDeletion(layout, event.payload)
      return nil
    }
    let item = Array(event.payload[range])
    var before = try place(of: item)
    // A view brings back what has expired as the first one would.
    if event.kind == .view, let end = before.expires, end <= recorded { before = Place() }
    let domain: String
    switch layout.domain {
    case .value(let range): domain = String(decoding: event.payload[range], as: UTF8.self)
    case .cleared: domain = ""
    case .absent: domain = event.kind == .index || !before.isPresent ? "" : before.domain
    }
    let carried = try layout.attributes.map { (range) throws(CairnError) in
      try Attributes(encoded: event.payload, range)
    }
    let attributes = carried ?? [:]
    let schema = effective(domain)
    let role = Self.role(event.kind, before, attributes, schema)
    if event.kind != .delete, let fault = schema.refusal(of: attributes, role) {
      guard try event.isRestored(), try wasGiven(item, domain, attributes) else {
        return fault.line
      }
    }
    let expires = layout.expires.value
    switch event.kind {
    case .index: places[item] = Place(isPresent: true, domain: domain, expires: expires)
    case .delete: places[item] = Place()
    case .update where before.isPresent:
      let end = layout.expires == .absent ? before.expires : expires
      places[item] = Place(isPresent: true, domain: domain, expires: end)
    case .view where role == .makes:
      places[item] = Place(isPresent: true, domain: domain, expires: expires)
    default: break
    }
    return nil
  }

  private static func role(
    _ kind: EventKind, _ before: Place, _ attributes: Attributes, _ schema: EffectiveSchema
  ) -> EffectiveSchema.EventRole {
    switch kind {
    case .index: return .makes
    case .update: return .changes
    default:
      guard !before.isPresent,
        case .string(let title)? = schema.withoutAliases(attributes)["title"], !title.isEmpty
      else { return .looks }
      return .makes
    }
  }

  private mutating func noteDeletion(_ layout: EventLayout, _ payload: [UInt8]) {
    var domain = ""
    if case .value(let range) = layout.domain {
      domain = String(decoding: payload[range], as: UTF8.self)
    }
    deletions.append(domain)
    for (item, place) in places where place.isPresent && DomainPath.covers(domain, place.domain) {
      places[item] = Place()
    }
  }

  private mutating func place(of item: [UInt8]) throws(CairnError) -> Place {
    if let known = places[item] { return known }
    var place = try committedPlace(of: item)
    if place.isPresent, deletions.contains(where: { DomainPath.covers($0, place.domain) }) {
      place = Place()
    }
    places[item] = place
    return place
  }

  private func committedPlace(of item: [UInt8]) throws(CairnError) -> Place {
    guard let generation else { return Place() }
    let catalog = generation.catalog
    return try generation.environment.read { (txn) throws(CairnError) in
      guard let ordinal = try catalog.ordinal(of: item, in: txn),
        let state = try catalog.state(of: ordinal, asOf: .max, in: txn)?.state, state.isPresent
      else { return Place() }
      let domain = try catalog.domainText(state.domain, in: txn) ?? ""
      return Place(isPresent: true, domain: domain, expires: state.expires)
    }
  }

  /// Whether an item had just these attributes in this domain, or its page said them: what was
  /// accepted once comes back as it was.
  /// - Complexity: O(versions of the item).
  private func wasGiven(_ item: [UInt8], _ domain: String, _ attributes: Attributes)
    throws(CairnError) -> Bool
  {
    guard let generation else { return false }
    let lens = try generation.lens(of: log)
    return try generation.environment.read { (txn) throws(CairnError) in
      let catalog = generation.catalog
      guard let ordinal = try catalog.ordinal(of: item, in: txn) else { return false }
      var isFound = false
      try catalog.forEachVersion(of: ordinal, asOf: .max, in: txn) {
        (_, state) throws(CairnError) in
        guard !isFound, state.isPresent else { return }
        let given = try generation.given(ordinal, state, by: lens, log, in: txn)
        let own = try catalog.domainText(state.ownDomain, in: txn) ?? ""
        isFound = given.own == attributes && own == domain || given.page == attributes
      }
      return isFound
    }
  }

  private mutating func effective(_ domain: String) -> EffectiveSchema {
    let key = Array(domain.utf8)
    if let known = effective[key] { return known }
    let found = definition.effective(domain)
    effective[key] = found
    return found
  }
}

extension EffectiveSchema {
  /// The rule for which an event is refused; nil where it is taken, with its faults maybe.
  fileprivate func refusal(of attributes: Attributes, _ role: EventRole) -> AttributeFault? {
    invalid == .keep ? nil : fault(of: attributes, role)
  }
}
