import Cairn
import Rows

extension Service {
  static let infoRoutes = [
    Route("GET", "/api/v1/info", .read, "What this server is, and where its history ends") {
      (call) throws(Refusal) in try call.information()
    }
  ]
}

extension Call {
  /// What this server is, where its history ends, and whether watchers are heard.
  func information() throws(Refusal) -> Answer {
    let head = try answering(store.acknowledgedHead())
    let last = try answering(store.event(at: head))
    return .object(at: head) { line in
      line.field("name", "cairn")
      line.field("version", service.options.version)
      line.field("head", head)
      line.field("recorded", optional: last?.event.recorded)
      line.field("readOnly", service.options.isReadOnly)
      line.field("scope", optional: identity?.scope.rawValue)
      switch service.rules.pause {
      case .none: line.field("paused", json: "null".utf8)
      // The last moment that RFC 3339 can write.
      case .forever: line.field("paused", "9999-12-31T23:59:59Z")
      case .until(let end): line.field("paused", end.rfc3339)
      }
    }
  }
}
