extension Event {
  /// The event in the form the log stores, checked by the same rules as a line.
  ///
  /// `byEngine` tells that the engine itself made it: purge events are refused otherwise.
  /// - Throws: `.badEvent` for a field that is missing or out of range.
  package func encoded(byEngine: Bool = false) throws(CairnError) -> EncodedEvent {
    var draft = EventDraft()
    var buffer: [UInt8] = []
    draft.kind = kind
    draft.id = id
    draft.recorded = recorded
    draft.time = time
    if let schema {
      guard schema >= 1, schema <= EventSchema.current else {
        throw CairnError(.badEvent, "`schema` must be from 1 to \(EventSchema.current)")
      }
      draft.schema = schema
    }
    try encodeWhat(&draft, &buffer)
    try encodeContext(&draft, &buffer)
    try encodeBehaviour(&draft, &buffer)
    for member in extras {
      let key = buffer.count
      buffer.appendText(member.key)
      let value = buffer.count
      try buffer.appendAny(member.value)
      draft.addExtra(MapMember(key: key, value: value, end: buffer.count))
    }
    return try draft.finish(buffer, byEngine: byEngine)
  }

  private func encodeWhat(_ draft: inout EventDraft, _ buffer: inout [UInt8]) throws(CairnError) {
    if let item {
      if let fault = EventDraft.itemFault(Array(item.utf8).span) { throw fault }
      draft.add(.item, &buffer) { $0.appendText(item) }
    }
    switch domain {
    case .absent: break
    case .cleared: draft.add(.domain, &buffer) { $0.append(CBORByte.null) }
    case .value(let domain):
      if let fault = EventDraft.domainFault(Array(domain.utf8).span) { throw fault }
      draft.add(.domain, &buffer) { $0.appendText(domain) }
    }
    if all { draft.add(.all, &buffer) { $0.append(CBORByte.true) } }
    if let time { draft.add(.time, &buffer) { $0.appendTimestamp(time) } }
  }

  private func encodeContext(_ draft: inout EventDraft, _ buffer: inout [UInt8]) throws(CairnError)
  {
    if let actor { draft.add(.actor, &buffer) { $0.appendText(actor) } }
    if let source { draft.add(.source, &buffer) { $0.appendText(source) } }
    if let session { draft.add(.session, &buffer) { $0.appendText(session) } }
    if !attributes.isEmpty {
      try draft.add(.attributes, &buffer) { (buffer) throws(CairnError) in
        try attributes.encode(to: &buffer)
      }
    }
    switch expires {
    case .absent: break
    case .cleared: draft.add(.expires, &buffer) { $0.append(CBORByte.null) }
    case .value(let time): draft.add(.expires, &buffer) { $0.appendTimestamp(time) }
    }
  }

  private func encodeBehaviour(_ draft: inout EventDraft, _ buffer: inout [UInt8])
    throws(CairnError)
  {
    if let query { draft.add(.query, &buffer) { $0.appendText(query) } }
    if let position {
      guard position >= 1 else {
        throw CairnError(.badEvent, "`position` must be a whole number from 1")
      }
      draft.add(.position, &buffer) { $0.appendInteger(position) }
    }
    if !shown.isEmpty {
      try draft.add(.shown, &buffer) { (buffer) throws(CairnError) in
        buffer.appendHead(.array, shown.count)
        for item in shown {
          guard !item.isEmpty else { throw CairnError(.badEvent, "\(EventDraft.emptyShown)") }
          buffer.appendText(item)
        }
      }
    }
    try draft.add(.dwell, dwell, &buffer)
    try draft.add(.latency, latency, &buffer)
    if let deliberate {
      draft.add(.deliberate, &buffer) {
        $0.append(deliberate ? CBORByte.true : CBORByte.false)
      }
    }
  }
}

extension EventDraft {
  /// Notes a field whose value is written to the end of a buffer.
  fileprivate mutating func add<Failure: Error>(
    _ field: PayloadField, _ buffer: inout [UInt8],
    _ write: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let start = buffer.count
    try write(&buffer)
    set(field, start..<buffer.count)
  }

  fileprivate mutating func add(_ field: PayloadField, _ seconds: Double?, _ buffer: inout [UInt8])
    throws(CairnError)
  {
    guard let seconds else { return }
    guard seconds >= 0, seconds.isFinite else {
      throw CairnError(.badEvent, "`dwell` and `latency` must be seconds, 0 or more")
    }
    add(field, &buffer) { $0.appendDouble(seconds + 0) }
  }
}

extension Event {
  /// The event a stored payload holds.
  /// - Throws: `.corrupt` for bytes that are no canonical payload.
  package init(
    _ payload: [UInt8], kind: EventKind, id: EventID? = nil, recorded: Timestamp? = nil,
    schema: UInt16 = EventSchema.current
  ) throws(CairnError) {
    self = try Event.decoded(
      payload, try EventLayout(payload), kind: kind, id: id, recorded: recorded, schema: schema)
  }

  /// The event whose payload lies so in a buffer; its time is the one given, else the payload's.
  ///
  /// A function that makes it whole as its last step: an initializer that can throw copies the
  /// event it has made, field by field.
  /// - Throws: `.corrupt` for texts that are no UTF-8.
  package static func decoded(
    _ payload: [UInt8], _ layout: borrowing EventLayout, kind: EventKind, id: EventID? = nil,
    time: Timestamp? = nil, recorded: Timestamp? = nil, schema: UInt16 = EventSchema.current
  ) throws(CairnError) -> Event {
    Event(
      kind: kind, item: try payload.text(layout.item), domain: try payload.text(layout.domain),
      all: layout.all, time: time == nil ? layout.time : time, recorded: recorded, id: id,
      actor: try payload.text(layout.actor), source: try payload.text(layout.source),
      session: try payload.text(layout.session),
      attributes: try payload.attributes(layout.attributes), expires: layout.expires,
      query: try payload.text(layout.query), position: layout.position,
      shown: try payload.texts(layout.shown), dwell: layout.dwell, latency: layout.latency,
      deliberate: layout.deliberate, schema: schema, extras: try payload.members(layout.extras))
  }
}

extension EventLayout {
  /// The unknown keys of an event, which the engine keeps and gives back.
  /// - Complexity: O(bytes of them).
  /// - Throws: `malformed` for a payload that was damaged.
  package func unknownKeys(in payload: [UInt8]) throws(CairnError) -> JSONObject {
    try payload.members(extras)
  }
}

extension [UInt8] {
  /// The text in a range, which must be UTF-8.
  package func text(_ range: Range<Int>) throws(CairnError) -> String {
    let bytes = span.extracting(range)
    if TextScan.isASCII(bytes) {
      // SAFETY: ASCII is valid UTF-8.
      return String(copying: unsafe UTF8Span(unchecked: bytes, isKnownASCII: true))
    }
    do { return String(copying: try UTF8Span(validating: bytes)) } catch {
      throw PayloadReader(at: range.lowerBound).malformed()
    }
  }

  fileprivate func text(_ range: Range<Int>?) throws(CairnError) -> String? {
    guard let range else { return nil }
    return try text(range)
  }

  fileprivate func text(_ change: Change<Range<Int>>) throws(CairnError) -> Change<String> {
    switch change {
    case .absent: .absent
    case .cleared: .cleared
    case .value(let range): .value(try text(range))
    }
  }

  fileprivate func texts(_ list: Range<Int>?) throws(CairnError) -> [String] {
    guard let list else { return [] }
    var texts: [String] = []
    var cursor = ElementCursor(self, list)
    while case .string(let range)? = cursor.next() { texts.append(try text(range)) }
    return texts
  }

  fileprivate func attributes(_ map: Range<Int>?) throws(CairnError) -> Attributes {
    guard let map else { return [:] }
    return try Attributes(encoded: self, map)
  }

  fileprivate func members(_ map: Range<Int>?) throws(CairnError) -> JSONObject {
    guard let map else { return [:] }
    var reader = PayloadReader(at: map.lowerBound)
    return try JSONValue.members(self, &reader)
  }
}
