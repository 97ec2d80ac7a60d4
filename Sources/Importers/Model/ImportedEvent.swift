package import Events

/// One act of a person as a format tells it, before it becomes an event of the store.
package struct ImportedEvent: Sendable {
  package var kind: EventKind
  package var item: String
  package var domain: String?
  /// Microseconds since 1970; nil where the source has no time.
  package var time: Int64?
  /// When its source noted it, where that never goes back and ``time`` may; else nil.
  package var order: Int64?
  package var identity: Identity
  package var transition: Transition?
  /// How many uses this stands for.
  package var visits: Int64 = 1
  /// Whether ``visits`` counts all uses so far, those that the store has among them.
  package var isAggregate = false
  /// Seconds of attention.
  package var dwell: Double?
  package var device: String?
  package var session: String?
  package var actor: String?
  /// Who was signed in, where the actor is an address.
  package var user: String?
  package var attributes: Attributes = [:]
  package var place: RecordPlace

  package init(
    _ kind: EventKind = .view, item: String, domain: String?, time: Int64?, title: String?,
    identity: Identity, place: RecordPlace
  ) {
    self.kind = kind
    self.item = item
    self.domain = domain
    self.time = time
    self.identity = identity
    self.place = place
    set("title", title)
  }

  /// Sets an attribute; an empty text is none.
  package mutating func set(_ name: String, _ text: String?) {
    guard let text, !text.isEmpty else { return }
    attributes[name] = .string(text)
  }

  /// Sets an attribute to a list; an empty list is none, as an empty text in it is.
  package mutating func set(_ name: String, _ texts: [String]) {
    let texts = texts.filter { !$0.isEmpty }
    guard !texts.isEmpty else { return }
    attributes[name] = .array(texts.map { .string($0) })
  }

  package mutating func set(_ name: String, _ number: Int64?) {
    if let number { attributes[name] = .integer(number) }
  }

  package mutating func set(_ name: String, _ number: Double?) {
    if let number, number.isFinite { attributes[name] = .double(number) }
  }

  /// Sets a time as an attribute, in RFC 3339.
  package mutating func set(_ name: String, time: Int64?) {
    if let time { attributes[name] = .string(Timestamp(microseconds: time).rfc3339) }
  }
}
