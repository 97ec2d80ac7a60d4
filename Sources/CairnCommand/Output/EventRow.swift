import Cairn
import Rows

extension Output {
  /// How many events there are of each kind, for people.
  mutating func lines(of kinds: [EventKind: Int]) throws(Failure) {
    for kind in EventKind.allCases {
      if let count = kinds[kind] { try line("  \(kind.name): \(Readable.number(count))") }
    }
  }
}

/// Writes recorded events, for programs or for people.
struct EventRow {
  let json: Bool
  /// Whether all rows are of one item, so that who did it stands in the place of its name.
  private let isOfOne: Bool
  private let table: Table

  init(json: Bool, isOfOne: Bool = false) {
    self.json = json
    self.isOfOne = isOfOne
    let rest: [Table.Column] = isOfOne ? [.share(2), .share(3)] : [.share(3), .share(2)]
    table = Table([.right(7), .left(Readable.timeWidth), .left(10)] + rest)
  }

  /// The names of the columns, to people only.
  func heading(_ options: StoreOptions, to output: inout Output) throws(Failure) {
    let names = ["EVENT", "TIME", "KIND", isOfOne ? "WHO" : "ITEM", "MORE"]
    try Listing.heading(names, table, options, to: &output)
  }

  func write(_ entry: LogEntry, to output: inout Output) throws(Failure) {
    switch entry {
    case .event(let event): try write(event, to: &output)
    case .erased(let stub):
      let cells = [String(stub.sequence), "", "erased", "by event \(stub.purge)", ""]
      try output.row(table.row(cells), json: json) { $0.fields(of: stub) }
    }
  }

  /// Writes a line of JSON without making values of it.
  static func write(_ record: LogRecord, to output: inout Output) throws(Failure) {
    try output.bytes { (bytes) throws(Failure) in
      try answering(record.appendJSON(to: &bytes))
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  func write(_ event: RecordedEvent, to output: inout Output) throws(Failure) {
    if json {
      try output.bytes { (bytes) throws(Failure) in
        do throws(CairnError) { try event.appendJSON(to: &bytes) } catch {
          var error = error.asDamage(in: "event \(event.sequence)")
          error.remedy = .verify
          throw Failure(error)
        }
        bytes.append(UInt8(ascii: "\n"))
      }
    } else {
      try output.line(table.row(cells(event)))
    }
  }

  private func cells(_ recorded: RecordedEvent) -> [String] {
    let event = recorded.event
    var what = event.item ?? (event.all ? "(everything)" : "")
    if event.item == nil, let domain = event.domain.value { what = "\(domain).*" }
    var more: [String] = []
    if let query = event.query { more.append("“\(query)”") }
    // A title that ends the identifier, as a file's name does, says nothing more.
    if let title = event.attributes["title"]?.string, !what.hasSuffix(title) { more.append(title) }
    if let user = event.extras["user"]?.string { more.append(user) }
    if isOfOne {
      if what != event.item ?? "", !what.isEmpty { more.append(what) }
      what = event.actor ?? ""
    } else if let actor = event.actor {
      more.append(actor)
    }
    return [
      String(recorded.sequence),
      Readable.time(event.time ?? event.recorded ?? Timestamp(seconds: 0)),
      event.kind.name.description, what, more.joined(separator: " · "),
    ]
  }
}
