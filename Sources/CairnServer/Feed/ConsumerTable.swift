package import Cairn
import Rows
import Synchronization

/// A reader whose place the server keeps.
package struct Consumer: Sendable, Hashable {
  package var name: String
  /// Everything up to here was dealt with.
  package var through: UInt64
  package var filter: FeedFilter
}

/// The consumers of a store, kept in a file; a change is on disk before it is answered.
package final class ConsumerTable: Sendable {
  private let file: KeptFile
  /// By the bytes of their names: what Unicode calls equal may be two.
  private let consumers: Mutex<[[UInt8]: Consumer]>

  private static let countMax = 256

  package init(directory: String) throws(CairnError) {
    file = KeptFile(path: directory + "/serve.consumers", byteCountMax: 16 << 20)
    var found: [[UInt8]: Consumer] = [:]
    if let bytes = try file.read() {
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let consumer = Consumer(line) else {
          throw CairnError(.corrupt, "holds a line that is no consumer", place: file.path)
        }
        found[consumer.key] = consumer
      }
    }
    consumers = Mutex(found)
  }

  private static let unknown = Refusal.notFound("no consumer has that name; PUT makes one")

  func consumer(_ name: String) throws(Refusal) -> Consumer {
    guard let consumer = consumers.withLock({ $0[Array(name.utf8)] }) else { throw Self.unknown }
    return consumer
  }

  package func list() -> [Consumer] {
    consumers.withLock { $0.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
  }

  /// Makes a consumer, which begins at the head unless a place is named, or changes what is named
  /// of one.
  func put(_ name: String, through: UInt64?, filter members: JSONObject, head: UInt64)
    throws(Refusal) -> (Consumer, isNew: Bool)
  {
    try change { (consumers) throws(Refusal) in
      let known = consumers[Array(name.utf8)]
      guard known != nil || consumers.count < Self.countMax else {
        throw Refusal(409, "conflict", "there are \(Self.countMax) consumers; remove one first")
      }
      let consumer = Consumer(
        name: name, through: through ?? known?.through ?? head,
        filter: try FeedFilter(members, otherwise: known?.filter ?? FeedFilter()))
      consumers[consumer.key] = consumer
      return (consumer, known == nil)
    }
  }

  /// Notes that everything up to a sequence was dealt with.
  func advance(_ name: String, through sequence: UInt64, resets: Bool) throws(Refusal) -> Consumer {
    try change { (consumers) throws(Refusal) in
      guard var consumer = consumers[Array(name.utf8)] else { throw Self.unknown }
      guard resets || sequence >= consumer.through else {
        throw Refusal(
          409, "conflict", "it is at \(consumer.through) already; \"reset\":true takes it back")
      }
      consumer.through = sequence
      consumers[consumer.key] = consumer
      return consumer
    }
  }

  func remove(_ name: String) throws(Refusal) {
    try change { (consumers) throws(Refusal) in
      guard consumers.removeValue(forKey: Array(name.utf8)) != nil else { throw Self.unknown }
    }
  }

  private func change<R: Sendable>(
    _ body: (inout [[UInt8]: Consumer]) throws(Refusal) -> R
  ) throws(Refusal) -> R {
    try consumers.withLock { (consumers) throws(Refusal) -> R in
      var changed = consumers
      let result = try body(&changed)
      let sorted = changed.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      let text = sorted.flatMap { consumer in JSONLine.line { $0.fields(of: consumer) } }
      try answering(file.replace(with: text))
      consumers = changed
      return result
    }
  }
}

extension Consumer {
  fileprivate var key: [UInt8] { Array(name.utf8) }

  fileprivate init?(_ line: ArraySlice<UInt8>) {
    // The caller refuses the file of a line that is none.
    guard let members = JSONObject(json: line), let name = members["consumer"]?.string,
      let through: UInt64 = members["through"]?.number(), let filter = try? FeedFilter(members)
    else { return nil }
    self.init(name: name, through: through, filter: filter)
  }
}

extension FeedFilter {
  static let names = ["domain", "kind", "item", "actor", "source"]

  /// The conditions that an object names, each a text or a list of texts, null for none.
  ///
  /// What it does not name is as in the filter given.
  init(_ members: JSONObject, otherwise known: FeedFilter = FeedFilter()) throws(Refusal) {
    self = known
    if members["domain"] != nil { domains = try Self.texts("domain", members) }
    if members["item"] != nil { items = try Self.names("item", members) }
    if members["actor"] != nil { actors = try Self.names("actor", members) }
    if members["source"] != nil { sources = try Self.names("source", members) }
    guard members["kind"] != nil else { return }
    kinds = []
    for name in try Self.texts("kind", members) { kinds.insert(try Parameters.kind(name, "kind")) }
  }

  private static func names(_ name: String, _ members: JSONObject) throws(Refusal) -> Set<[UInt8]> {
    Set(try texts(name, members).map { Array($0.utf8) })
  }

  private static func texts(_ name: String, _ members: JSONObject) throws(Refusal) -> [String] {
    switch members[name] {
    case nil, .null?: return []
    case .string(let text)?: return [text]
    case .array(let values)?:
      var texts: [String] = []
      for value in values {
        guard case .string(let text) = value else { break }
        texts.append(text)
      }
      if texts.count == values.count { return texts }
    default: break
    }
    throw .parameter(name, "takes a text or a list of texts")
  }
}

extension JSONLine {
  mutating func fields(of consumer: Consumer) {
    field("consumer", consumer.name)
    field("through", consumer.through)
    let filter = consumer.filter
    if !filter.domains.isEmpty { field("domain", texts: filter.domains) }
    if !filter.kinds.isEmpty { field("kind", texts: filter.kinds.map(\.name.description).sorted()) }
    for (key, names) in [
      ("item", filter.items), ("actor", filter.actors), ("source", filter.sources),
    ] as [(StaticString, Set<[UInt8]>)] where !names.isEmpty {
      let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
      field(key, texts: sorted.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  mutating func fields(of consumer: Consumer, head: UInt64) {
    fields(of: consumer)
    field("head", head)
    field("lag", head > consumer.through ? head - consumer.through : 0)
  }
}
