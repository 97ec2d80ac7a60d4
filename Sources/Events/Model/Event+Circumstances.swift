// Stored and written with the keys that the engine does not know: events of before these had names
// have the same bytes. A value of another type than the property's reads as nil, and stays.

extension Event {
  /// The device it happened on.
  public var device: String? {
    get { extras["device"]?.string }
    set { extras["device"] = newValue.map { .string($0) } }
  }

  /// How somebody came to the item: `link`, `typed` and the like, as browsers tell it.
  public var transition: String? {
    get { extras["transition"]?.string }
    set { extras["transition"] = newValue.map { .string($0) } }
  }

  /// How many visits a view stands for, where a history gives only their count.
  public var visits: Int? {
    get { extras["visits"]?.number() }
    set { extras["visits"] = newValue.map { .number(String($0)) } }
  }

  /// What somebody thinks of a result; `less` asks to see it less.
  public var feedback: String? {
    get { extras["feedback"]?.string }
    set { extras["feedback"] = newValue.map { .string($0) } }
  }

  /// Whether it brings an item back to what was accepted once, which no schema refuses, whichever
  /// store it is appended to.
  package var isRestored: Bool {
    get { extras.isRestored }
    set { extras["restored"] = newValue ? JSONValue.bool(true) : nil }
  }

  /// The sequence of the event of which this one, of kind `extend`, says how long it became.
  package var extended: UInt64? {
    get { extras.extended }
    set { extras["of"] = newValue.map { .number(String($0)) } }
  }
}

extension EncodedEvent {
  /// ``Event/isRestored``; an `index` alone brings anything back.
  package func isRestored() throws(CairnError) -> Bool {
    guard kind == .index else { return false }
    return try EventLayout(payload).unknownKeys(in: payload).isRestored
  }

  /// ``Event/extended``.
  package func extended() throws(CairnError) -> UInt64? {
    guard kind == .extend else { return nil }
    return try EventLayout(payload).unknownKeys(in: payload).extended
  }

  /// The id of the event that this one, of kind `extend`, lengthens, where its line tells it: a log
  /// that it comes from had that event under another sequence.
  package func extendedID() throws(CairnError) -> EventID? {
    guard kind == .extend else { return nil }
    let id = try EventLayout(payload).unknownKeys(in: payload)["ofId"]?.string
    return id.flatMap { EventID(uuidString: $0) }
  }

  /// The same event of kind `extend`, of an event that stands elsewhere, or nowhere.
  package func extending(_ sequence: UInt64?) throws(CairnError) -> EncodedEvent {
    var event = try Event(payload, kind: kind, id: id, recorded: recorded, schema: schema)
    event.extras["ofId"] = nil
    event.extended = sequence
    var encoded = try event.encoded()
    encoded.time = time
    return encoded
  }
}

extension JSONObject {
  fileprivate var isRestored: Bool { self["restored"] == .bool(true) }

  /// ``Event/extended``.
  package var extended: UInt64? { self["of"]?.number() }
}
