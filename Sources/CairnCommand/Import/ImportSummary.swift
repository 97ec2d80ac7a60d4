import Cairn
import Importers
import Rows

/// What would come, counted.
struct ImportSummary {
  private var kinds: [EventKind: Int] = [:]
  private var domains: [String: Int] = [:]
  private var first: [Event] = []
  /// Events that the store or another file has and that do not come again.
  private var knownCount = 0
  /// Events that a purge keeps out.
  private(set) var blockedCount = 0
  private var hasBlocks: Bool?
  /// The events of one time, beside which equal ones stand.
  private var moment = Int64.min
  private var ids: Set<EventID> = []

  var newCount: Int { kinds.values.reduce(0, +) - knownCount }

  /// Counts an event that happened at a time, in µs since 1970, beside what a store has.
  mutating func add(_ event: EncodedEvent, at time: Int64, beside store: Store?) throws(Failure) {
    if hasBlocks == nil { hasBlocks = try answering(store?.hasBlocks()) ?? false }
    let isBlocked = try hasBlocks == true ? answering(store?.refuses(event)) == true : false
    guard !isBlocked else {
      blockedCount += 1
      return
    }
    count(event)
    guard let id = event.id else { return }
    let isInStore = try answering(store?.hasEvent(id)) == true
    if !isFirst(id, at: time) || isInStore { knownCount += 1 }
  }

  /// Whether no event of this id came before it.
  private mutating func isFirst(_ id: EventID, at time: Int64) -> Bool {
    if time != moment { ids.removeAll() }
    moment = time
    return ids.insert(id).inserted
  }

  private mutating func count(_ event: EncodedEvent) {
    // The preview leaves out what the import itself then refuses by name.
    guard
      let event = try? Event(
        event.payload, kind: event.kind, id: event.id, recorded: event.recorded)
    else { return }
    kinds[event.kind, default: 0] += 1
    let domain = (event.domain.value ?? "").split(separator: ".").prefix(2)
    domains[domain.joined(separator: "."), default: 0] += 1
    if first.count < 5 { first.append(event) }
  }

  func write(json: Bool, to output: inout Output) throws(Failure) {
    let largest = domains.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    if json {
      try output.object { line in
        line.field("kinds", kinds)
        line.object("domains") { object in
          for (domain, count) in largest { object.field(text: domain, count) }
        }
        line.field("known", knownCount)
        line.field("blocked", blockedCount)
      }
      return
    }
    try output.lines(of: kinds)
    for (domain, count) in largest.prefix(12) {
      let name = domain.isEmpty ? "no domain" : DisplayText.harmless(domain)
      try output.line("  \(name): \(Readable.number(count))")
    }
    for event in first {
      let title = event.attributes["title"]?.string ?? event.item ?? ""
      let time = event.time.map { Readable.time($0) } ?? ""
      try output.line("  \(time)  \(event.kind.name)  \(DisplayText.fit(title, 60))")
    }
    if knownCount > 0 {
      let count = Readable.number(knownCount)
      try output.line("  known already, and not added again: \(count)")
    }
    if blockedCount > 0 {
      let count = Readable.number(blockedCount)
      try output.line("  left out, since a purge blocks them: \(count)")
    }
  }
}
