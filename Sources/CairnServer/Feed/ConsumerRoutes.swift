import Cairn

extension Service {
  static let consumerRoutes = [
    Route("GET", "/api/v1/consumers", .read, "Readers whose place is kept", gives: .list) {
      (call) throws(Refusal) in
      let head = try call.head()
      return try call.list(call.service.consumers.list(), at: head) {
        $0.fields(of: $1, head: head)
      }
    },
    Route("GET", "/api/v1/consumers/{consumer}", .read, "How far a reader is") {
      (call) throws(Refusal) in
      let consumer = try call.service.consumers.consumer(call.names["consumer"] ?? "")
      let head = try call.head()
      return .object(at: head) { $0.fields(of: consumer, head: head) }
    },
    Route(
      "PUT", "/api/v1/consumers/{consumer}", .write,
      "Keep a reader's place; what is not named stays as it was",
      body: .object(
        [Parameter("after", .sequence, "The last event that was dealt with")]
          + FeedFilter.names.map { Parameter($0, .texts) })
    ) { (call) throws(Refusal) in
      let object = try call.object()
      let name = call.names["consumer"] ?? ""
      guard name.utf8.count <= 128 else { throw .parameter("consumer", "has at most 128 bytes") }
      let head = try call.head()
      let after = try object.sequence("after")
      if let after { try call.check(after, head) }
      let (consumer, isNew) = try call.service.consumers.put(
        name, through: after, filter: object, head: head)
      return .object(isNew ? 201 : 200, at: head) { $0.fields(of: consumer, head: head) }
    },
    Route(
      "POST", "/api/v1/consumers/{consumer}", .write,
      "Note that everything up to a sequence was dealt with",
      body: .object([Parameter("through", .sequence, required: true), Parameter("reset", .flag)])
    ) { (call) throws(Refusal) in
      let object = try call.object()
      guard let through = try object.sequence("through") else {
        throw .parameter("through", "is missing")
      }
      let head = try call.head()
      _ = try call.service.consumers.consumer(call.names["consumer"] ?? "")
      try call.check(through, head)
      let consumer = try call.service.consumers.advance(
        call.names["consumer"] ?? "", through: through, resets: try object.flag("reset"))
      return .object(at: head) { $0.fields(of: consumer, head: head) }
    },
    Route("DELETE", "/api/v1/consumers/{consumer}", .write, "Forget a reader") {
      (call) throws(Refusal) in
      try call.service.consumers.remove(call.names["consumer"] ?? "")
      return Answer(204)
    },
  ]
}

extension Call {
  fileprivate func check(_ sequence: UInt64, _ head: UInt64) throws(Refusal) {
    guard sequence <= head else { throw Refusal(404, "noSuchPoint", "the log ends at \(head)") }
  }
}
