import Catalog
import EventLog
import HashTree
import LMDB
import Projections
import Timeline

/// Which events a purge erases, found by one pass over the timeline.
///
/// A selection or an impression that shows a purged item on screen goes whole: it names the item.
struct PurgeSelection {
  private(set) var sequences: [UInt64] = []
  /// The last event that was looked at.
  private(set) var through: UInt64 = 0
  var plan = PurgePlan(
    eventCount: 0, itemCount: 0, domainCount: 0, byteCount: 0, kinds: [:],
    digest: HashTree.emptyRoot)

  private var chosen: Set<UInt64> = []
  private var items: Set<UInt32> = []
  /// Events found, by the ordinal of their domain.
  private var domains: [UInt32: Int] = [:]
  /// Events about an item, and how many of them are chosen, by ordinal.
  private var uses: [Uses] = []
  private var mentions: [Mention] = []

  private struct Uses {
    var all: UInt32 = 0
    var chosen: UInt32 = 0
    /// Events that gave the item its content, and how many of these are chosen.
    var contents: UInt32 = 0
    var chosenContents: UInt32 = 0
  }

  init() {}

  /// An event that shows items on screen and is not chosen yet.
  private struct Mention {
    var record: TimelineRecord
    var shown: [UInt32]
  }

  /// Whether two selections have the same events up to a sequence.
  func isEqual(to other: PurgeSelection, through sequence: UInt64) -> Bool {
    sequences.prefix { $0 <= sequence }.elementsEqual(other.sequences.prefix { $0 <= sequence })
  }

  /// Finds the events of a scope up to where the generation is.
  /// - Complexity: O(events), some 30 ns each, and a read of the log for each selection and
  ///   impression, for what gives an item with a page its content, for what says how long an event
  ///   about such an item became, and for each event found.
  init(
    _ scope: PurgeScope, items filtered: [String]? = nil, _ generation: Generation,
    _ log: EventLog, in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    through = try generation.checkpoint(in: txn).applied
    let matcher = try Matcher(scope, items: filtered, generation, log, in: txn)
    try choose(matcher, from: scope.spanStart, generation, log, in: txn)
    guard !chosen.isEmpty || matcher.unknownItem != nil else { return }
    try chooseMentions(matcher, generation.catalog, in: txn)
    guard !chosen.isEmpty else { return }
    sequences = chosen.sorted()
    plan = try PurgePlan(sequences, in: log)
    plan.itemCount = items.count
    plan.domainCount = domains.count
    plan.vanishingItemCount = try vanishingCount(generation.catalog, in: txn)
    plan.domains = try generation.catalog.named(domains, in: txn)
  }

  /// Items that are there, whose content goes and of which later events stay.
  private func vanishingCount(_ catalog: Catalog, in txn: borrowing ReadTransaction)
    throws(CairnError) -> Int
  {
    var count = 0
    for item in items where item < uses.count {
      let use = uses[Int(item)]
      guard use.contents > 0, use.chosenContents == use.contents, use.chosen < use.all,
        let state = try catalog.state(of: item, asOf: .max, in: txn)?.state, state.isPresent
      else { continue }
      count += 1
    }
    return count
  }

  private mutating func choose(
    _ matcher: Matcher, from start: Timestamp?, _ generation: Generation, _ log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    try generation.timeline.forEach(from: 1, through: .max, in: txn) {
      (record) throws(CairnError) in
      guard !record.isPermanent else { return true }
      count(record)
      var isChosen = try matcher.matches(record, in: txn)
      if !isChosen { isChosen = try matcher.tellsOfMember(record, generation.catalog, in: txn) }
      if !isChosen { isChosen = try matcher.goesAlong(record) }
      if !isChosen { isChosen = try lengthens(record, into: start, log) }
      var isCut = false
      if !isChosen { isCut = try Self.reaches(record, into: start, log) }
      if isChosen || isCut {
        if record.domain != ResolvedEvent.none { domains[record.domain, default: 0] += 1 }
        if record.item != ResolvedEvent.none { items.insert(record.item) }
        chosen.insert(record.sequence)
        // What is cut short is told anew: its item stays.
        if isChosen { countUse(record) }
      } else if record.kind == EventKind.select.rawValue
        || record.kind == EventKind.impression.rawValue
      {
        let shown = try Self.shown(in: record.sequence, matcher, generation.catalog, log, txn)
        if try matcher.matches(record, showing: shown, generation.catalog, in: txn) {
          // Nobody asked for the item that it is about.
          chosen.insert(record.sequence)
        } else if !shown.isEmpty {
          mentions.append(Mention(record: record, shown: shown))
        }
      } else if matcher.wholes.contains(record.item), record.kind == EventKind.index.rawValue {
        // What says that some items are one names them all.
        let parts = try Self.parts(in: record.sequence, generation.catalog, log, txn)
        if !parts.isEmpty { mentions.append(Mention(record: record, shown: parts)) }
      }
      return true
    }
  }

  /// Whether an event, which comes later and names the same item, says how long one became that
  /// goes, or that one which began before a span reached into it.
  private func lengthens(_ record: TimelineRecord, into start: Timestamp?, _ log: EventLog)
    throws(CairnError) -> Bool
  {
    // In a log that was replayed without what a purge took, `of` may be the number of any event.
    guard record.kind == EventKind.extend.rawValue, start != nil || isOfChosen(record),
      let event = try log.decodedEvent(at: record.sequence), let of = event.extended,
      of < record.sequence, let begun = try log.decodedEvent(at: of),
      begun.item.hasBytes(of: event.item)
    else { return false }
    if chosen.contains(of) { return true }
    guard let start, let time = begun.time, time < start else { return false }
    return event.lasts(from: time, into: start)
  }

  /// Whether an event is about the item of one that goes, or about none where that may be so too.
  private func isOfChosen(_ record: TimelineRecord) -> Bool {
    record.item == ResolvedEvent.none ? !chosen.isEmpty : items.contains(record.item)
  }

  /// Whether a watcher's event, which began before a span, lasts into it by itself.
  private static func reaches(_ record: TimelineRecord, into start: Timestamp?, _ log: EventLog)
    throws(CairnError) -> Bool
  {
    // How long it lasts nobody knew before it ended.
    guard let start, record.kind == EventKind.view.rawValue,
      record.timeMicroseconds < start.microseconds,
      record.recordedMicroseconds >= start.microseconds,
      let stored = try log.event(at: record.sequence)
    else { return false }
    let view = try LogRecord(stored)
    guard view.source?.starts(with: WatchedView.sourcePrefix.utf8) == true else { return false }
    let event = try view.event
    guard let time = event.time else { return false }
    return event.lasts(from: time, into: start)
  }

  private mutating func countUse(_ record: TimelineRecord) {
    guard record.item < uses.count else { return }
    uses[Int(record.item)].chosen += 1
    if record.kind == EventKind.index.rawValue { uses[Int(record.item)].chosenContents += 1 }
  }

  private mutating func count(_ record: TimelineRecord) {
    let item = record.item
    guard item != ResolvedEvent.none else { return }
    // Ordinals are dense but for what was purged before.
    let gap = Int(item) + 1 - uses.count
    if gap > 0 { uses.append(contentsOf: repeatElement(Uses(), count: gap)) }
    uses[Int(item)].all += 1
    if record.kind == EventKind.index.rawValue { uses[Int(item)].contents += 1 }
  }

  /// Adds what mentions a purged item, until nothing more is found: an event that goes may have
  /// been the last one about its own item.
  private mutating func chooseMentions(
    _ matcher: Matcher, _ catalog: Catalog, in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      var rest: [Mention] = []
      for mention in mentions {
        if try names(mention, matcher, catalog, in: txn) {
          chosen.insert(mention.record.sequence)
          countUse(mention.record)
          isGrowing = true
        } else {
          rest.append(mention)
        }
      }
      mentions = rest
    }
  }

  private func names(
    _ mention: Mention, _ matcher: Matcher, _ catalog: Catalog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    for item in mention.shown {
      if item < uses.count {
        let use = uses[Int(item)]
        if use.chosen > 0, use.chosen == use.all { return true }
      }
      let sequence = mention.record.sequence
      let state = try catalog.state(of: item, asOf: sequence, in: txn)?.state
      if try matcher.covers(item, state, at: sequence, in: txn) { return true }
    }
    return false
  }

  /// The items that a page's event says are parts of its own.
  private static func parts(
    in sequence: UInt64, _ catalog: Catalog, _ log: EventLog, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard let event = try log.event(at: sequence) else { return [] }
    var parts: [UInt32] = []
    for name in try ItemPart.listed(in: event.payload, try event.layout()) {
      if let item = try catalog.ordinal(of: Array(name.utf8), in: txn) { parts.append(item) }
    }
    return parts
  }

  /// The items that an event says were on screen.
  private static func shown(
    in sequence: UInt64, _ matcher: Matcher, _ catalog: Catalog, _ log: EventLog,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard let event = try log.event(at: sequence) else { return [] }
    guard let list = try event.layout().shown else { return [] }
    var shown: [UInt32] = []
    var elements = ElementCursor(event.payload, list)
    while let element = elements.next() {
      guard case .string(let range) = element else { continue }
      let name = Array(event.payload[range])
      if let item = try catalog.ordinal(of: name, in: txn) {
        shown.append(item)
      } else if name == matcher.unknownItem {
        shown.append(Matcher.unknownOrdinal)
      }
    }
    return shown
  }
}

extension PurgeSelection {
  /// The time, in microseconds, before which an event that came now would be none of the newest
  /// that a rule keeps; nil while there are fewer.
  ///
  /// One of the same time as the last that is kept would only take its place.
  /// - Complexity: O(events), some 100 ns each, and sorting those that the rule is about.
  static func end(
    of rule: RetentionRule, keeping count: Int, _ generation: Generation, _ log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Int64? {
    let events = try Matcher(log).events(of: rule, before: .max, generation, in: txn)
    guard events.count >= count else { return nil }
    return events.map(\.time).sorted(by: >)[count - 1] + 1
  }
}

/// A scope in the numbers of a generation.
private struct Matcher {
  private var domains: Set<UInt32> = []
  /// Items that were ever in one of the domains.
  private var members: Set<UInt32> = []
  private var item: UInt32?
  /// The name of the item where no event is about it; others may have shown it all the same.
  private(set) var unknownItem: [UInt8]?
  /// Stands for that item, and is no other's: `.max` is that of events about none.
  static let unknownOrdinal = UInt32.max - 1
  /// Items that are shown as one with what is purged: they go with it.
  private var together: Set<UInt32> = []
  /// Items with a page of which events go that name no domain, or that of the page's host, where
  /// the item was before an app gave it one.
  private var untold: [UInt32: Set<UInt32>] = [:]
  /// The URLs of the pages of what is purged, and the items that these ever told of.
  private var urls: Set<String> = []
  private var formerPages: Set<UInt32> = []
  /// Items that ever had a page, which may name others, or parts.
  private(set) var wholes: Set<UInt32> = []
  private var before: Timestamp?
  /// Sequences that rules do not keep.
  private var outdated: Set<UInt64> = []
  private var criteria: (conditions: PurgeCriteria, record: RecordFilter?, items: Set<UInt32>?)?
  private var mention: MentionedText?
  /// The conditions on items, where there are some, and what is left of the others: an event that
  /// shows such an item is about it as well.
  private var showing: Showing?

  private struct Showing {
    var record: RecordFilter?
    var item: UInt32?
    var domains: Set<UInt32>?
  }
  private var sequences: RangeSet<UInt64>?
  private let log: EventLog
  /// A domain by the name that events were recorded with, where a schema moved some.
  private var recorded: RecordedDomain?

  private typealias RecordedDomain = (name: String, lens: SchemaLens, catalog: Catalog)

  /// Of nothing yet.
  init(_ log: EventLog) { self.log = log }

  init(
    _ scope: PurgeScope, items filtered: [String]?, _ generation: Generation, _ log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    self.log = log
    let catalog = generation.catalog
    switch scope {
    case .domain(let name):
      let ordinals = try catalog.domainOrdinals(within: Array(name.utf8), in: txn)
      domains = Set(ordinals)
      members = Set(try catalog.members(of: ordinals, in: txn))
      recorded = try Self.recorded(name, generation, log)
    case .item(let name):
      item = try catalog.ordinal(of: Array(name.utf8), in: txn)
      if item == nil {
        item = Self.unknownOrdinal
        unknownItem = Array(name.utf8)
      }
    case .before(let time): before = time
    case .matching(let conditions):
      var items: Set<UInt32>? = filtered == nil ? nil : []
      for name in filtered ?? [] {
        guard let ordinal = try catalog.ordinal(of: Array(name.utf8), in: txn) else { continue }
        items?.insert(ordinal)
      }
      criteria = (conditions, try RecordFilter(conditions.recordQuery, generation, txn), items)
      mention = conditions.mention.map(MentionedText.init)
      try noteShowing(conditions, generation, in: txn)
      sequences = conditions.sequenceSet
    case .retention(let rules):
      let now = Timestamp.now()
      for rule in rules.ofEvents { try add(rule, now, generation, in: txn) }
    }
    try notePages(catalog, in: txn)
  }

  private mutating func noteShowing(
    _ conditions: PurgeCriteria, _ generation: Generation, in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard conditions.item != nil || conditions.domain != nil || criteria?.items != nil else {
      return
    }
    var others = conditions.recordQuery
    (others.item, others.domain) = (nil, nil)
    var showing = Showing(record: try RecordFilter(others, generation, txn))
    if let name = conditions.item.map({ Array($0.utf8) }) {
      showing.item = try generation.catalog.ordinal(of: name, in: txn)
      if showing.item == nil {
        showing.item = Self.unknownOrdinal
        unknownItem = name
      }
    }
    showing.domains = try generation.catalog.subtree(of: conditions.domain, in: txn)
    self.showing = showing
  }

  /// Whether all conditions hold that the event tells by itself.
  private func holds(_ conditions: PurgeCriteria, at sequence: UInt64) throws(CairnError) -> Bool {
    guard let event = try log.decodedEvent(at: sequence) else { return false }
    return conditions.matches(event, mention)
  }

  /// Whether all conditions hold of a selection or an impression by an item that it shows.
  func matches(
    _ record: TimelineRecord, showing shown: [UInt32], _ catalog: Catalog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    guard let showing, let criteria, showing.record?.accepts(record) ?? false,
      sequences?.contains(record.sequence) ?? true
    else { return false }
    for item in shown {
      guard showing.item.map({ $0 == item }) ?? true, criteria.items?.contains(item) ?? true else {
        continue
      }
      if let domains = showing.domains {
        let state = try catalog.state(of: item, asOf: record.sequence, in: txn)?.state
        guard let state, state.isPresent || state.isPart, domains.contains(state.domain) else {
          continue
        }
      }
      return try holds(criteria.conditions, at: record.sequence)
    }
    return false
  }

  /// Notes what goes with an item that has a web page: what it is one with, what an activity told
  /// before it had a domain, and what the same page said of another item before.
  private mutating func notePages(_ catalog: Catalog, in txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    var last = ResolvedEvent.none
    var newest: [(item: UInt32, sequence: UInt64, state: ItemState)] = []
    var pages: [(item: UInt32, sequence: UInt64)] = []
    try catalog.forEachVersion(in: txn) { (item, sequence, state) throws(CairnError) in
      defer { last = item }
      guard state.content.page != 0 || !state.content.parts.isEmpty else { return }
      wholes.insert(item)
      if item != last { newest.append((item, sequence, state)) }
      guard state.content.page != 0 else { return }
      if pages.last.map({ $0 != (item, state.content.page) }) ?? true {
        pages.append((item, state.content.page))
      }
    }
    for (whole, sequence, state) in newest {
      let parts = try catalog.owners(of: whole, state.content, in: txn).dropFirst().map(\.item)
      if let item, item == whole || parts.contains(item) {
        together.formUnion(parts + [whole])
      } else if try covers(whole, state, at: sequence, in: txn) {
        together.formUnion(parts)
        if state.content.page != 0 { untold[whole] = [] }
      } else {
        continue
      }
      if state.content.page != 0, let url = try pageURL(at: state.content.page) { urls.insert(url) }
    }
    for page in pages where untold[page.item] != nil {
      guard case .value(let host)? = try log.decodedEvent(at: page.sequence)?.domain else {
        continue
      }
      untold[page.item]?.formUnion(try catalog.domainOrdinals(within: Array(host.utf8), in: txn))
    }
    guard !urls.isEmpty else { return }
    for page in pages where !formerPages.contains(page.item) {
      if let url = try pageURL(at: page.sequence), urls.contains(url) {
        formerPages.insert(page.item)
      }
    }
  }

  /// The URL of the page that an event is about; nil where it is no event of a page.
  private func pageURL(at sequence: UInt64) throws(CairnError) -> String? {
    guard let event = try log.decodedEvent(at: sequence), event.source == "web" else { return nil }
    if let url = event.extras["url"]?.string { return url }
    return event.kind == .delete ? "" : nil
  }

  /// Whether an event goes because of an item with a web page that is purged.
  func goesAlong(_ record: TimelineRecord) throws(CairnError) -> Bool {
    if together.contains(record.item) { return true }
    if let hosts = untold[record.item] {
      if record.domain == ResolvedEvent.none { return true }
      // What names the domain itself is of that one.
      if hosts.contains(record.domain),
        try log.decodedEvent(at: record.sequence)?.domain == .absent
      {
        return true
      }
    }
    guard formerPages.contains(record.item),
      record.kind == EventKind.index.rawValue || record.kind == EventKind.delete.rawValue,
      let url = try pageURL(at: record.sequence)
    else { return false }
    return url.isEmpty || urls.contains(url)
  }

  /// A domain by the name that events were recorded with; nil where no schema moved any.
  private static func recorded(_ name: String, _ generation: Generation, _ log: EventLog)
    throws(CairnError) -> RecordedDomain?
  {
    guard let lens = try generation.lens(of: log), lens.hasMoves else { return nil }
    return (name, lens, generation.catalog)
  }

  /// Adds what a rule does not keep.
  private mutating func add(
    _ rule: RetentionRule, _ now: Timestamp, _ generation: Generation,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var found = try events(of: rule, before: rule.oldest(now) ?? .max, generation, in: txn)
    if case .events(let count) = rule.limit {
      found.sort { ($0.time, $0.sequence) > ($1.time, $1.sequence) }
      found.removeFirst(min(count, found.count))
    }
    for event in found { outdated.insert(event.sequence) }
  }

  /// The events of a rule's domain, kind and source that happened before a time, in microseconds.
  /// - Complexity: O(events), and a read of the log for each that only its source can rule out.
  fileprivate func events(
    of rule: RetentionRule, before end: Int64, _ generation: Generation,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [(time: Int64, sequence: UInt64)] {
    let domains = try generation.catalog.subtree(of: rule.domain, in: txn)
    let recorded = try rule.domain.flatMap { (name) throws(CairnError) in
      try Self.recorded(name, generation, log)
    }
    var found: [(time: Int64, sequence: UInt64)] = []
    try generation.timeline.forEach(from: 1, through: .max, in: txn) {
      (record) throws(CairnError) in
      guard !record.isPermanent, rule.kind.map({ $0.rawValue == record.kind }) ?? true,
        record.timeMicroseconds < end
      else { return true }
      if let domains, !domains.contains(record.domain) {
        guard try wasRecorded(record, within: recorded, in: txn) else { return true }
      }
      if let source = rule.source {
        guard let stored = try log.event(at: record.sequence),
          try LogRecord(stored).source?.elementsEqual(source.utf8) == true
        else { return true }
      }
      found.append((record.timeMicroseconds, record.sequence))
      return true
    }
    return found
  }

  func matches(_ record: TimelineRecord, in txn: borrowing ReadTransaction) throws(CairnError)
    -> Bool
  {
    if let criteria {
      guard let match = criteria.record, match.accepts(record),
        sequences?.contains(record.sequence) ?? true,
        criteria.items?.contains(record.item) ?? true
      else { return false }
      return try holds(criteria.conditions, at: record.sequence)
    }
    if let before {
      let bound = before.microseconds
      if record.timeMicroseconds != bound { return record.timeMicroseconds < bound }
      // The timeline keeps microseconds; within one, the log decides.
      return try log.event(at: record.sequence).map { $0.time < before } ?? false
    }
    if let item { return record.item == item }
    if !outdated.isEmpty { return outdated.contains(record.sequence) }
    if domains.contains(record.domain) { return true }
    return try wasRecorded(record, within: recorded, in: txn)
  }

  /// Whether an event belonged to the domain when it was recorded, by its own or its item's.
  private func wasRecorded(
    _ record: TimelineRecord, within recorded: RecordedDomain?, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    guard let recorded, let event = try log.event(at: record.sequence) else { return false }
    let layout = try event.layout()
    if case .value(let range) = layout.domain {
      return DomainPath.covers(recorded.name, String(decoding: event.payload[range], as: UTF8.self))
    }
    guard record.item != ResolvedEvent.none else { return false }
    for sequence in [record.sequence - 1, record.sequence] {
      let state = try recorded.catalog.state(of: record.item, asOf: sequence, in: txn)?.state
      guard let state, state.isPresent || state.isPart else { continue }
      return try wasSeen(
        record.item, state, asOf: sequence, at: record.sequence, within: recorded, in: txn)
    }
    return false
  }

  /// Whether an item was in a domain by the name that it had when an event was recorded.
  private func wasSeen(
    _ item: UInt32, _ state: ItemState, asOf made: UInt64, at sequence: UInt64,
    within recorded: RecordedDomain, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    let seen = try recorded.catalog.seenDomain(
      of: item, state, asOf: made, under: recorded.lens.node(at: sequence), recorded.lens, log,
      in: txn)
    return DomainPath.covers(recorded.name, seen)
  }

  /// Whether an event goes with an item that is or was in the domain, though it does not say so: it
  /// tells what a web page has on it and names the domain of its host.
  func tellsOfMember(
    _ record: TimelineRecord, _ catalog: Catalog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    guard members.contains(record.item) || recorded != nil,
      record.kind == EventKind.index.rawValue,
      try catalog.state(of: record.item, asOf: record.sequence, in: txn)?.state.content.page
        == record.sequence
    else { return false }
    for point in [record.sequence, .max] {
      let version = try catalog.state(of: record.item, asOf: point, in: txn)
      guard let version else { continue }
      if try covers(record.item, version.state, at: version.sequence, in: txn) { return true }
    }
    return false
  }

  /// Whether an item in this state, which it had at a point, is what is purged.
  func covers(
    _ item: UInt32, _ state: ItemState?, at sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    if self.item == item { return true }
    guard let state, state.isPresent || state.isPart else { return false }
    if domains.contains(state.domain) { return true }
    guard let recorded else { return false }
    return try wasSeen(item, state, asOf: sequence, at: sequence, within: recorded, in: txn)
  }
}
