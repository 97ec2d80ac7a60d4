import Cairn

extension Service {
  /// Holds a request to the rules and lets its route answer it.
  func answer(_ reply: inout Reply, _ destination: Destination) throws(Refusal) -> Answer? {
    let request = reply.exchange.request
    // Over a Unix socket no browser comes, and any name will do.
    if request.peer == .network || request.value("host") == nil { try hosts.check(request) }
    if request.method == "OPTIONS", request.target == "*" {
      // Asks about the server as a whole (RFC 9110 §9.3.7).
      _ = try origins.check(request, navigates: false, acceptsExtensions: false)
      return Answer(204, headers: [Refusal.allMethods])
    }
    guard let target = destination.target else { throw Destination.malformed }
    if request.method == "OPTIONS" { return try preflight(request, target) }
    let found = destination.route
    // That there is no route is told after the origin was checked.
    let part = (try? found.get())?.0.part
    // Pages of other origins are not even told what is here.
    let verdict = try origins.check(
      request, navigates: part == .page, acceptsExtensions: part == .watch)
    reply.extraHeaders = Self.crossOriginHeaders(verdict)
    return try answer(&reply, target, found.get(), verdict)
  }

  private func answer(
    _ reply: inout Reply, _ target: RequestTarget, _ found: (Route, [String: String]),
    _ verdict: OriginRule.Verdict
  ) throws(Refusal) -> Answer? {
    let (request, (route, names)) = (reply.exchange.request, found)
    reply.entry.route = route.pattern
    // What would be written is found by nobody; that the process lives says a route for everybody.
    let isOfProcess = route.part == .operation && route.scope == nil
    if !isOfProcess, route.part != .asset, !storeIdentity.isThere {
      throw Refusal(
        500, "missing",
        "the store was removed or replaced while it was served; start the server anew")
    }
    var identity: Identity?
    // Who asks there is nobody's business, least of all where the tokens cannot be read.
    if !isOfProcess {
      identity = try self.identity(of: request, acceptsCookie: verdict.acceptsCookie)
    }
    reply.entry.token = identity?.name
    if let scope = route.scope, !isOpen(route) {
      guard let identity else { throw Self.unauthorized(route, target, request) }
      guard identity.scope.allows(scope) else {
        throw Refusal(
          403, "scope", "the token allows \(identity.scope.rawValue), not \(scope.rawValue)")
      }
    }
    reply.route = route
    try checkBody(request, route)
    let target = route.part == .page ? target.decodingMarked() : target
    // Watchers forget what a 400 answers, and aw-server passes over what it does not know.
    let query = target.query.filter { pair in
      route.part != .watch || route.parameters.contains { $0.name == pair.name }
    }
    let call = Call(
      service: self, exchange: reply.exchange, identity: identity, target: target,
      parameters: try Parameters(query, of: route.parameters), names: names,
      body: route.body, extraHeaders: reply.extraHeaders)
    if options.isReadOnly, !route.isReading {
      throw options.damage.map { Refusal($0) }
        ?? Refusal(403, "readOnly", "the server runs with --read-only")
    }
    return try route.run(call)
  }

  /// A refusal that says where the log ended, for who may ask that.
  func atHead(_ refusal: Refusal) -> Refusal {
    var refusal = refusal
    // What keeps the log from being read is told by the next answer that needs it.
    if let head = try? store.acknowledgedHead() {
      refusal.headers.append(Header("Cairn-Sequence", String(head)))
    }
    return refusal
  }

  /// Tells a browser that a page of an allowed origin may read the answer.
  private static func crossOriginHeaders(_ verdict: OriginRule.Verdict) -> [Header] {
    guard let origin = verdict.crossOrigin else { return [] }
    return [
      Header("Access-Control-Allow-Origin", origin), Header("Vary", "Origin"),
      Header("Access-Control-Expose-Headers", "Cairn-Sequence, ETag, X-Request-Id"),
    ]
  }

  private func isOpen(_ route: Route) -> Bool {
    if route.part == .watch {
      if route.pattern == "/api/0/info" { return true }
      switch options.watchMode {
      case .open: return true
      case .ingest: return route.scope == .ingest
      case .off, .token: return false
      }
    }
    return options.hasPublicLog && route.pattern.hasPrefix("/log/")
      || options.hasPublicMetrics && route.pattern == "/metrics"
  }

  private func identity(of request: Request, acceptsCookie: Bool) throws(Refusal) -> Identity? {
    if let value = request.value("authorization") {
      let prefix = "bearer "
      guard value.prefix(prefix.utf8.count).lowercased() == prefix else { return nil }
      let token = String(value.dropFirst(prefix.count).drop { $0 == " " })
      return try answering(tokens.identity(of: token))
    }
    if acceptsCookie {
      for value in request.cookies(TokenTable.cookieName) {
        let known = try answering(tokens.identity(ofCookie: value))
        if let known { return known }
      }
    }
    return request.peer == .sameUser ? Identity(name: "local", scope: .admin) : nil
  }

  private static func unauthorized(_ route: Route, _ target: RequestTarget, _ request: Request)
    -> Refusal
  {
    var refusal = Refusal.unauthorized
    if route.part == .page, request.method == "GET" || request.method == "HEAD" {
      refusal.status = 303
      refusal.headers = [
        Header("Location", "/login?next=\(PercentEncoding.encode(request.target))")
      ]
    }
    return refusal
  }

  private func checkBody(_ request: Request, _ route: Route) throws(Refusal) {
    let type = request.value("content-type").flatMap(MediaType.name)
    let allowed: [String]
    switch route.body {
    case .none:
      guard !request.hasBody else { throw Refusal(415, "mediaType", "this route takes no body") }
      return
    case .json, .object: allowed = [MediaType.json]
    case .events: allowed = [MediaType.json, MediaType.ndjson]
    case .form: allowed = [MediaType.form]
    case .file: allowed = []
    }
    if let encoding = request.value("content-encoding")?.lowercased(), encoding != "identity" {
      throw Refusal(415, "mediaType", "the body comes as it is, without Content-Encoding")
    }
    if request.hasBody || request.values("content-type").count > 0, !allowed.isEmpty {
      guard let type, allowed.contains(type) else {
        throw Refusal(
          415, "mediaType", "the body comes as \(allowed.joined(separator: " or ")) in UTF-8")
      }
    }
    if let limit = route.body.byteCountMax, let declared = request.declaredCount, declared > limit {
      throw RequestBody.tooLarge(limit)
    }
  }

  /// Tells a browser what a page of an allowed origin may send.
  private func preflight(_ request: Request, _ target: RequestTarget) throws(Refusal) -> Answer {
    let verdict = try origins.check(
      request, navigates: false, acceptsExtensions: target.path.starts(with: ["api", "0"]))
    let methods = router.methods(target.path)
    guard !methods.isEmpty else { throw .notFound("there is nothing at this path") }
    var answer = Answer(
      204, headers: [Header("Allow", (methods + ["OPTIONS"]).joined(separator: ", "))])
    if let origin = verdict.crossOrigin {
      answer.headers += [
        Header("Access-Control-Allow-Origin", origin), Header("Vary", "Origin"),
        Header("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
        Header(
          "Access-Control-Allow-Headers",
          "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, "
            + "MCP-Protocol-Version, Mcp-Method, Mcp-Name"),
        Header("Access-Control-Max-Age", "600"),
      ]
    }
    return answer
  }
}
