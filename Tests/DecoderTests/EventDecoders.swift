import Events
import Migrations

enum EventDecoders {
  static let lines: [[UInt8]] = [
    #"{"kind":"index","item":"a","domain":"x.y","attributes":{"title":"Erste","keywords":["k"]}}"#,
    #"{"kind":"view","item":"é\u00e9\ud83d\ude00","time":"2023-01-02T03:04:05.000000006+02:00"}"#,
    #"{"kind":"view","item":"a","id":"AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE","recorded":1690000000.5}"#,
    #"{"kind":"select","query":"er","item":"a","position":1,"shown":["a","b"],"dwell":2.5e0}"#,
    #"{"kind":"impression","query":"","shown":["a"],"latency":0.25,"deliberate":true,"x":{"y":[null]}}"#,
    #"{"kind":"update","item":"a","domain":null,"attributes":{"n":-1,"d":1e300,"t":true,"z":null}}"#,
    #"{"kind":"index","item":"b","expires":"2030-01-01T00:00:00Z","attributes":{"b":{"base64":"AAEC"}}}"#,
    #"{"kind":"delete","domain":"x","actor":"me","source":"s","session":"1","schema":1}"#,
    #"{"kind":"delete","all":true}"#,
  ].map { Array($0.utf8) }

  static func line(_ bytes: [UInt8]) throws {
    guard let event = try? EventLine.parse(bytes) else { return }
    let json = try json(event)
    guard let again = try? EventLine.parse(json) else {
      throw DecoderFault("an accepted line is refused when it comes back")
    }
    let isSame = try? again.hasSameContent(as: event, upcasting: Migrations.chain)
    try DecoderFault.require(isSame == true, "an accepted line comes back as something else")
  }

  private static func json(_ event: EncodedEvent) throws -> [UInt8] {
    var json: [UInt8] = []
    try EventJSON.append(event, to: &json)
    return json
  }

  static func payload(_ bytes: [UInt8]) throws {
    guard let kind = bytes.first.flatMap({ EventKind(rawValue: $0) }) else { return }
    let payload = Array(bytes.dropFirst())
    for schema in UInt16(1)...EventSchema.current {
      _ = try? Migrations.chain.upcast(payload, kind: kind, schema: schema)
    }
    guard (try? EventLayout(payload)) != nil else { return }
    _ = try? json(EncodedEvent(kind: kind, payload: payload))
    let event = try? Event(payload, kind: kind, id: nil, recorded: nil, schema: EventSchema.current)
    // What the rules of a line refuse was never stored.
    guard let event, let first = try? event.encoded(byEngine: true) else { return }
    let again = try Event(
      first.payload, kind: kind, id: nil, recorded: nil, schema: EventSchema.current)
    try DecoderFault.require(
      try again.encoded(byEngine: true).payload == first.payload,
      "a payload changes when it is written again")
  }

  static func payloads() throws -> [[UInt8]] {
    try lines.map { line in
      let event = try EventLine.parse(line)
      return [event.kind.rawValue] + event.payload
    }
  }
}
