import Catalog
import LMDB
import Projections
import Query

/// A filter in the query language, ready to test items.
struct Filter {
  /// Whether the filter may ask for an item's domain, which its attributes do not hold.
  let asksDomain: Bool
  private var evaluator: PredicateEvaluator
  /// What every item that passes fulfils, and whether that is all.
  private let required: (tests: [RequiredTest], isAll: Bool)
  private var valid: ValidAttributes
  private let expression: Expression
  private let context: EvaluationContext
  private let schema: SchemaDefinition
  private let clock: Timestamp
  /// Whether what `*` and `**` look at depends on an item's domain.
  private let asksSearched: Bool
  private var evaluators: [[UInt8]: PredicateEvaluator] = [:]
  /// Domains whose evaluators are kept.
  private static let evaluatorCountMax = 4_096

  /// Reads a filter; nil for none.
  /// - Throws: `badQuery` naming the place in the text.
  init?(_ text: String?, clock: Timestamp, schema: SchemaDefinition = .none) throws(CairnError) {
    guard let text else { return nil }
    do {
      var names: [String] = []
      let expression = try QueryParser.parse(text).naming { name in
        let key = schema.attribute(meantBy: name)
        if !names.contains(key) { names.append(key) }
        return key
      }
      let searched = schema.keys(where: { $1.isSearched(as: $0) })
      if expression.asksSearched { names += searched.filter { !names.contains($0) } }
      valid = ValidAttributes(schema, names)
      let context = EvaluationContext(
        now: Instant(seconds: clock.seconds, nanoseconds: clock.nanoseconds),
        searchedKeys: [AttributeMapRecord.searchedKey] + searched,
        dateKeys: schema.keys(where: { $1.type == .time }))
      asksSearched =
        expression.asksSearched && !schema.keys(where: { $1.searchable != nil }).isEmpty
      self.expression = expression
      self.context = context
      self.schema = schema
      self.clock = clock
      asksDomain = AttributeMapRecord.domainNames.contains { text.contains($0) }
      evaluator = Predicate(expression, in: context).evaluator()
      required = expression.requiredTests(in: context)
    } catch { throw Self.placed(error) }
  }

  /// A fault of the query language, told of the filter.
  static func placed(_ error: CairnError) -> CairnError {
    CairnError(.badQuery, error.message, place: "filter", at: error.offset)
  }

  /// The items that may pass, as far as the columns of the present tell; nil where they do not.
  func columnMatch(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> ColumnMatch?
  { try view.items(passing: required.tests, isAll: required.isAll, txn) }

  /// Whether an item passes, by its encoded map of attributes and the name of its domain.
  /// - Throws: `.corrupt` for bytes that are no attributes.
  mutating func passes(_ attributes: [UInt8], domain: [UInt8]?) throws(CairnError) -> Bool {
    let map = try valid.of(attributes, domain: domain)
    let record = AttributeMapRecord(map: map, domain: domain)
    guard asksSearched else { return evaluator.matches(record) }
    var own = ownEvaluator(in: domain ?? [])
    return own.matches(record)
  }

  /// What tests the items of a domain, by what is searched there.
  private mutating func ownEvaluator(in domain: [UInt8]) -> PredicateEvaluator {
    if let known = evaluators[domain] { return known }
    var context = context
    context.searchedKeys = [AttributeMapRecord.searchedKey]
    for member in schema.effective(String(decoding: domain, as: UTF8.self)).attributes {
      if member.value.isSearched(as: member.key) {
        context.searchedKeys.append(member.key)
      } else {
        context.unsearchedKeys.insert(member.key)
      }
    }
    let made = Predicate(expression, in: context).evaluator()
    if evaluators.count < Self.evaluatorCountMax { evaluators[domain] = made }
    return made
  }

  /// Whether a version of an item passes, by what is shown of it.
  mutating func passes(
    _ item: UInt32, _ state: ItemState, _ generation: Generation, _ lens: SchemaLens?,
    _ store: Store, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    let attributes = try generation.shownAttributes(
      of: item, state, at: clock, by: lens, store.log, txn)
    let needsDomain =
      (asksDomain || asksSearched || !valid.isEmpty) && state.domain != ResolvedEvent.none
    let domain = needsDomain ? try generation.catalog.domainName(state.domain, in: txn) : nil
    return try passes(attributes, domain: domain)
  }
}

extension Moment {
  /// What tells whether an item of the moment passes a filter.
  /// - Throws: `badQuery` naming the place in the text.
  package func test(of filter: String) throws(CairnError) -> (Item) throws(CairnError) -> Bool {
    var test = try read { (view, _) throws(CairnError) in
      try Filter(filter, clock: clock, schema: view.schema)
    }
    return { (item) throws(CairnError) in
      try test??.passes(item.encodedAttributes, domain: item.domain.map { Array($0.utf8) }) ?? true
    }
  }
}

/// Lets the query language look at encoded attributes without building values.
struct AttributeMapRecord: AttributeRecord {
  /// What the texts of all custom keys that are searched go by.
  static let searchedKey = "cairn.text"
  /// The spellings of the attribute that is an item's domain.
  static let domainNames = ["domainIdentifier", "kMDItemDomainIdentifier"]
  private static let domainName = Array("domainIdentifier".utf8)
  private static let searchedName = Array(searchedKey.utf8)

  let map: [UInt8]
  let domain: [UInt8]?

  func offer(to probe: inout AttributeProbe) {
    var cursor = AttributeCursor(map, map.indices)
    let bytes = map.span
    if let domain, probe.wants(Self.domainName.span) { probe.text(domain.span) }
    while !probe.isSettled, let (key, value) = cursor.next() {
      if probe.wants(bytes.extracting(key)) {
        offer(value, bytes, to: &probe)
      } else if map[key].starts(with: CustomName.text) {
        if probe.wants(Self.searchedName.span) { offer(value, bytes, to: &probe) }
      } else if map[key].starts(with: CustomName.date) {
        let name = key.lowerBound + CustomName.date.count..<key.upperBound
        if probe.wants(bytes.extracting(name)) { offerDates(value, bytes, to: &probe) }
      } else if map[key].starts(with: CustomName.opaque) {
        let name = key.lowerBound + CustomName.opaque.count..<key.upperBound
        if value != .null, probe.wants(bytes.extracting(name)) { probe.other() }
      }
    }
  }

  private func offerDates(
    _ value: ValueLayout, _ bytes: borrowing Span<UInt8>, to probe: inout AttributeProbe
  ) {
    switch value {
    case .string(let text):
      guard let time = Timestamp(rfc3339: bytes.extracting(text)) else { return probe.other() }
      probe.date(Instant(seconds: time.seconds, nanoseconds: time.nanoseconds))
    case .array(let range):
      var elements = ElementCursor(map, range)
      while !probe.isSettled, let element = elements.next() {
        offerDates(element, bytes, to: &probe)
      }
    default: break
    }
  }

  private func offer(
    _ value: ValueLayout, _ bytes: borrowing Span<UInt8>, to probe: inout AttributeProbe
  ) {
    switch value {
    case .null: break
    case .bool(let bool): probe.bool(bool)
    case .integer(let integer): probe.integer(integer)
    case .double(let number): probe.number(number)
    case .string(let text): probe.text(bytes.extracting(text))
    case .data: probe.other()
    case .array(let range):
      var elements = ElementCursor(map, range)
      while !probe.isSettled, let element = elements.next() { offer(element, bytes, to: &probe) }
    }
  }
}
