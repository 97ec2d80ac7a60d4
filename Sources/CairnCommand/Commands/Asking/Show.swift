import ArgumentParser
import Cairn
import Rows

struct Show: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that is known of an item; exit code 1 if it was not there.")

  @Argument(help: "The item's identifier.", completion: .items) var item: String

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point)
    // What a web page made a part of another item is shown with it.
    let item = try answering(moment.shownID(of: self.item))
    let found = try answering(moment.item(item))
    guard let found else {
      throw Failure(
        .no,
        "no such item at this point; to find one by its words: cairn search TEXT; its history, if "
          + "any, is in: cairn log ITEM")
    }
    let sources = try answering(moment.sources(of: item))
    let life = try answering(ItemLife(item, moment))
    var output = Output()
    if options.json {
      try output.object { line in
        line.fields(of: found, life)
        line.field("sources", sources)
      }
    } else {
      try write(found, life, sources, to: &output)
    }
    try output.flush()
  }

  private func write(
    _ item: Item, _ life: ItemLife, _ sources: [ItemSource], to output: inout Output
  ) throws(Failure) {
    var rows = [("item", item.id)]
    if let domain = item.domain { rows.append(("domain", domain)) }
    rows.append(("sequence", String(item.sequence)))
    if let expires = item.expires { rows.append(("expires", Readable.time(expires))) }
    if let first = life.firstSeen { rows.append(("first seen", Readable.time(first))) }
    if let last = life.lastViewed { rows.append(("last viewed", Readable.time(last))) }
    rows.append(("views", Readable.number(life.viewCount)))
    if let rank = life.rank { rows.append(("rank", "\(rank) of the most used")) }
    rows.append(("history", "\(Readable.count(life.eventCount, "event")); cairn log ITEM"))
    rows += sources.map { ("from", $0.text) }
    rows += item.attributes.map { ($0.key, Self.text($0.value)) }
    let widest = min(24, rows.map { DisplayText.width($0.0) }.max() ?? 0)
    let room = Terminal.width.map { max(20, $0 - widest - 2) }
    for (name, value) in rows {
      try output.line("\(DisplayText.pad(name, widest))  \(DisplayText.fit(value, room))")
    }
  }

  /// An attribute before and after, as it stands below what changed.
  static func line(of field: ItemChange.Field) -> String {
    let text = "\(field.name): \(json(field.old)) → \(json(field.new))"
    return "    \(DisplayText.fit(text, Terminal.width.map { $0 - 4 }))"
  }

  static func text(_ value: AttributeValue) -> String {
    switch value {
    case .string(let text): return text
    case .array(let values): return values.map(text).joined(separator: ", ")
    case .data(let bytes): return Readable.bytes(bytes.count)
    case .null, .bool, .integer, .double: return json(value)
    }
  }

  /// A value for people who compare it: a text as it is, anything else as JSON.
  static func json(_ value: AttributeValue?) -> String {
    guard let value else { return "(none)" }
    if case .string(let text) = value { return text }
    return String(decoding: JSONValue(value).text, as: UTF8.self)
  }
}
