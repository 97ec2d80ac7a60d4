import Catalog
import EventLog
import LMDB

/// Refuses events that break the schema in force, each after those before it.
///
/// What a transaction has taken so far is not in the projections yet, so that it is kept here.
struct SchemaAdmission: EventAdmission {
  private struct Place {
    /// Whether an app or an activity told of it.
    var hasOwn = false
    /// The domain that one of these gave, empty for none: an update may, of what has but a page.
    var own = ""
    /// That of its web page; nil where it has none.
    var page: String?
    var expires: Timestamp?

    /// Parts of other items are there, too.
    var isPresent: Bool { hasOwn || page != nil }
    var domain: String { own.isEmpty ? page ?? "" : own }

    func hasExpired(by time: Timestamp) -> Bool { expires.map { $0 <= time } ?? false }
  }

  private let definition: SchemaDefinition
  private let generation: Generation?
  private let log: EventLog
  private var places: [[UInt8]: Place] = [:]
  /// Recursive deletions so far; an empty name: of everything.
  private var deletions: [String] = []
  private var effective: [[UInt8]: EffectiveSchema] = [:]
  /// By item, hashes of what it was given in versions that are committed.
  private var given: [[UInt8]: Set<Int>] = [:]

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
    if event.kind == .view, before.hasExpired(by: recorded) {
      (before.hasOwn, before.own) = (false, "")
    }
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
    let isTitled = event.kind == .view && !before.hasOwn && schema.isTitled(attributes)
    let role: EffectiveSchema.EventRole =
      switch event.kind {
      case .index: .makes
      case .update: .changes
      default: isTitled && !before.isPresent ? .makes : .looks
      }
    if event.kind != .delete, let fault = schema.refusal(of: attributes, role) {
      guard try event.isRestored(), try wasGiven(item, domain, attributes) else {
        return fault.line
      }
    }
    if event.kind != .view || isTitled {
      places[item] = Self.place(before, event, layout, at: recorded)
    }
    return nil
  }

  /// Where an item is after an event that is taken, as the catalog will have it.
  private static func place(
    _ before: Place, _ event: EncodedEvent, _ layout: EventLayout, at recorded: Timestamp
  ) -> Place {
    let isPage = layout.isOfPage(in: event.payload)
    var domain: String?
    if case .value(let range) = layout.domain {
      domain = String(decoding: event.payload[range], as: UTF8.self)
    }
    var place = before
    switch event.kind {
    case .index where isPage:
      if before.hasExpired(by: recorded) { place = Place() }
      place.page = domain ?? ""
    case .delete where isPage && before.hasOwn: place.page = nil
    case .delete: place = Place()
    case .update:
      guard before.isPresent else { break }
      if layout.attributes != nil { place.hasOwn = true }
      if layout.domain != .absent { place.own = domain ?? "" }
      if layout.expires != .absent { place.expires = layout.expires.value }
    default:
      (place.hasOwn, place.own) = (true, domain ?? "")
      // An activity that ends does not take a page along.
      if event.kind == .index || before.page == nil || before.hasExpired(by: recorded) {
        place.expires = layout.expires.value
      }
    }
    return place
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
        let state = try catalog.state(of: ordinal, asOf: .max, in: txn)?.state,
        state.isPresent || state.isPart
      else { return Place() }
      var place = Place(expires: state.expires)
      place.hasOwn = state.content.hasOwn
      place.own = try catalog.domainText(state.ownDomain, in: txn) ?? ""
      if state.content.page != 0 {
        place.page = try catalog.domainText(state.pageDomain, in: txn) ?? ""
      }
      return place
    }
  }

  /// Whether an item had just these attributes in this domain, or its page said them: what was
  /// accepted once comes back as it was.
  /// - Complexity: O(versions of the item) for the first event of an item, which many may claim.
  private mutating func wasGiven(_ item: [UInt8], _ domain: String, _ attributes: Attributes)
    throws(CairnError) -> Bool
  {
    let known: Set<Int>
    if let given = given[item] { known = given } else { known = try givenHashes(of: item) }
    given[item] = known
    return known.contains(Self.hash(domain, attributes))
      || known.contains(Self.hash(nil, attributes))
  }

  /// Hashes take the room of no attributes; their seed is the process's, so that nobody makes two
  /// alike.
  private static func hash(_ domain: String?, _ attributes: Attributes) -> Int {
    var hasher = Hasher()
    hasher.combine(domain)
    hasher.combine(attributes)
    return hasher.finalize()
  }

  /// What an item had in its domains, and what its pages said, which is of none.
  private func givenHashes(of item: [UInt8]) throws(CairnError) -> Set<Int> {
    guard let generation else { return [] }
    let lens = try generation.lens(of: log)
    return try generation.environment.read { (txn) throws(CairnError) in
      let catalog = generation.catalog
      guard let ordinal = try catalog.ordinal(of: item, in: txn) else { return [] }
      var hashes: Set<Int> = []
      try catalog.forEachVersion(of: ordinal, asOf: .max, in: txn) {
        (_, state) throws(CairnError) in
        guard state.isPresent || state.isPart else { return }
        let given = try generation.given(ordinal, state, by: lens, log, in: txn)
        if let own = given.own {
          let domain = try catalog.domainText(state.ownDomain, in: txn) ?? ""
          hashes.insert(Self.hash(domain, own))
        }
        if let page = given.page { hashes.insert(Self.hash(nil, page)) }
      }
      return hashes
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
  /// Whether a view with these attributes makes an item that is not there.
  fileprivate func isTitled(_ attributes: Attributes) -> Bool {
    guard case .string(let title)? = withoutAliases(attributes)["title"] else { return false }
    return !title.isEmpty
  }

  /// The rule for which an event is refused; nil where it is taken, with its faults maybe.
  fileprivate func refusal(of attributes: Attributes, _ role: EventRole) -> AttributeFault? {
    invalid == .keep ? nil : fault(of: attributes, role)
  }
}
