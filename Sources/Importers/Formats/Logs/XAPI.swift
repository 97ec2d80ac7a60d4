import Events
import WebMarkup

/// Statements of the Experience API (adlnet/xAPI-Spec).
enum XAPI: JSONFormat {
  static let name = "xapi"
  static let summary = "statements of learning (xAPI)"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"actor\"") && file.holds("\"verb\"") && file.holds("\"object\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    if try json.kind() == .array {
      return try json.records(events) { (statement, place) throws(CairnError) in
        try add(statement, place, events)
      }
    }
    var isFound = false
    try json.members { (key) throws(CairnError) in
      guard key == "statements", try json.kind() == .array else { return try json.skip() }
      isFound = true
      try json.records(events) { (statement, place) throws(CairnError) in
        try add(statement, place, events)
      }
    }
    guard isFound else { throw CairnError(.malformed, "holds no statements") }
  }

  private static func add(_ statement: JSONValue, _ place: RecordPlace, _ events: Collector)
    throws(CairnError)
  {
    guard let object = statement["object"]?["id"]?.string else {
      return events.malformed(place, "no object")
    }
    let stamp = statement["timestamp"]?.string ?? statement["stored"]?.string ?? ""
    guard let time = events.time(CivilTime.iso(stamp), at: place) else { return }
    let title = first(statement["object"]?["definition"]?["name"])
    guard var event = events.event(url: object, title: title, at: place) else { return }
    event.time = time
    event.identity = Identity(source, statement["id"]?.string ?? "\(stamp) \(object)")
    event.actor = actor(statement["actor"] ?? .null)
    event.dwell = statement["result"]?["duration"]?.string.flatMap(MarkupNumber.seconds)
    event.set("verb", first(statement["verb"]?["display"]))
    try events.add(event)
  }

  /// The text in English, else in whatever language comes first.
  private static func first(_ texts: JSONValue?) -> String? {
    guard case .object(let members)? = texts else { return nil }
    return texts?["en-US"]?.string ?? texts?["en"]?.string ?? members.first?.value.string
  }

  private static func actor(_ actor: JSONValue) -> String? {
    if let name = ["mbox", "mbox_sha1sum", "openid"].lazy.compactMap({ actor[$0]?.string }).first {
      return name
    }
    guard let name = actor["account"]?["name"]?.string else { return actor["name"]?.string }
    return [actor["account"]?["homePage"]?.string, name].compactMap { $0 }.joined(separator: "/")
  }
}
