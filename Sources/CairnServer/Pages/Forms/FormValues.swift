/// What a form of one of our pages sent (application/x-www-form-urlencoded).
struct FormValues {
  private let values: [(name: String, value: String)]

  /// Reads the body of a request.
  /// - Throws: 400 for a body that is no form, or not UTF-8.
  init(_ call: Call) throws(Refusal) {
    let bytes = try call.wholeBody()
    guard let target = RequestTarget("/?" + String(decoding: bytes, as: UTF8.self)) else {
      throw Refusal(400, "malformed", "the form could not be read")
    }
    values = target.decodingMarked().query
  }

  /// A value; nil where there is none, or an empty one.
  func text(_ name: String) -> String? {
    values.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }
}

extension Route {
  /// What a form of a page posts to.
  static func form(
    _ path: StaticString, _ scope: Scope?, _ summary: String, lane: Lane = .request,
    _ run: @escaping @Sendable (Call) throws(Refusal) -> Answer?
  ) -> Route {
    Route(
      "POST", path.description, scope, summary, body: .form(limit: 256 << 10),
      lane: lane, part: .page
    ) { (call) throws(Refusal) in
      // Only a page of ours may send one; older browsers that say nothing are turned away.
      guard call.request.value("origin") != nil || call.request.value("sec-fetch-site") != nil
      else { throw Refusal(403, "origin", "a form must come from a page of this server") }
      return try run(call)
    }
  }
}
