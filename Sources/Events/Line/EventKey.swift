/// The keys an event line may have.
enum EventKey {
  case kind, item, domain, all, time, recorded, id, actor, source, session, attributes, expires
  case query, position, shown, dwell, latency, deliberate, schema, sequence, hash

  /// The key whose name is the given bytes, nil for an unknown one.
  static func named(_ bytes: Span<UInt8>) -> EventKey? {
    guard bytes.count < byLength.count else { return nil }
    for (name, key) in byLength[bytes.count] {
      var index = 0
      while index < name.count, name[index] == bytes[index] { index += 1 }
      if index == name.count { return key }
    }
    return nil
  }

  private static let byLength: [[([UInt8], EventKey)]] = {
    let names: [(String, EventKey)] = [
      ("kind", .kind), ("item", .item), ("time", .time), ("domain", .domain),
      ("attributes", .attributes), ("id", .id), ("all", .all), ("recorded", .recorded),
      ("actor", .actor), ("source", .source), ("session", .session), ("expires", .expires),
      ("query", .query), ("position", .position), ("shown", .shown), ("dwell", .dwell),
      ("latency", .latency), ("deliberate", .deliberate), ("schema", .schema),
      ("sequence", .sequence), ("hash", .hash),
    ]
    var table = [[([UInt8], EventKey)]](repeating: [], count: 11)
    for (name, key) in names { table[name.utf8.count].append((Array(name.utf8), key)) }
    return table
  }()
}
