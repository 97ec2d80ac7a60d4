import Cairn
import Rows

struct FindSource: Sendable {
  let store: Store
  let domain: String?
  let filter: String?
  let context: SearchContext?
  /// How many items are listed at most.
  let limit: Int

  /// A query, and the point of history it is asked at; nil for the present.
  struct Question: Hashable, Sendable {
    var text: String
    var sequence: UInt64?

    /// Whether there is nothing to search for.
    var isBlank: Bool { text.allSatisfy { $0 == " " } }
  }

  /// An item and the point of history it is looked at.
  struct Subject: Hashable, Sendable {
    var item: String
    var sequence: UInt64?
  }

  /// One line of the list.
  struct Found: Hashable, Sendable {
    var item: String
    var domain: String?
    var title: String?
  }

  private static let startEventCount = 1_000
  private static let previewEventCount = 5

  /// What is listed for a query: its hits, and without words what is used most and what came last.
  func answer(_ question: Question) throws(CairnError) -> [Found] {
    let moment = try moment(question.sequence)
    if question.isBlank { return try start(moment) }
    var request = SearchRequest(question.text)
    request.domain = domain
    request.filter = filter
    request.context = context
    request.limit = limit
    return try moment.search(request).map {
      Found(item: $0.item, domain: $0.domain, title: $0.title)
    }
  }

  private func moment(_ sequence: UInt64?) throws(CairnError) -> Moment {
    try store.at(sequence.map { .sequence($0) } ?? .head)
  }

  private func start(_ moment: Moment) throws(CairnError) -> [Found] {
    var found: [Found] = []
    if let filter {
      try moment.forEachItem(domain: domain, filter: filter) { item in
        found.append(Found(item: item.id, domain: item.domain, title: item.title))
        return found.count < limit
      }
      return found
    }
    found = try moment.top(domain: domain, limit: limit, context: context).map {
      Found(item: $0.item, domain: $0.domain, title: $0.title)
    }
    guard found.count < limit else { return found }
    var known = Set(found.map { Array($0.item.utf8) })
    var query = EventQuery(at: moment, domain: domain, limit: Self.startEventCount)
    query.includesLeafHashes = false
    try store.forEachEvent(query) { (recorded) throws(CairnError) in
      guard let id = recorded.event.item, known.insert(Array(id.utf8)).inserted,
        let item = try moment.item(id)
      else { return true }
      found.append(Found(item: id, domain: item.domain, title: item.title))
      return found.count < limit
    }
    return found
  }

  /// The life of an item in a few lines.
  func preview(_ subject: Subject) throws(CairnError) -> [String] {
    let moment = try moment(subject.sequence)
    guard let item = try moment.item(try moment.shownID(of: subject.item)) else {
      return ["not there at this point; its history: cairn log \(DisplayText.word(subject.item))"]
    }
    let life = try ItemLife(item.id, moment)
    var facts = [Readable.count(life.eventCount, "event")]
    if let first = life.firstSeen { facts.append("first seen \(Readable.time(first))") }
    if let last = life.lastViewed {
      facts.append("\(Readable.count(life.viewCount, "view")), the last \(Readable.time(last))")
    }
    if let rank = life.rank { facts.append("\(rank) of the most used") }
    var lines = [
      [item.title, item.id, item.domain].compactMap { $0 }.joined(separator: "  ·  "),
      facts.joined(separator: " · "),
    ]
    if let about = item.text(of: "contentDescription") ?? item.text(of: "contentURL") {
      lines.append(about)
    }
    var query = EventQuery(at: moment, item: item.id, limit: Self.previewEventCount)
    query.includesLeafHashes = false
    return try lines
      + store.events(query).map { recorded in
        let event = recorded.event
        let time = event.time ?? event.recorded ?? Timestamp(seconds: 0)
        let more = [event.query.map { "“\($0)”" }, event.actor].compactMap { $0 }
        return "\(Readable.time(time))  \(event.kind.name)  \(more.joined(separator: " · "))"
      }
  }
}
