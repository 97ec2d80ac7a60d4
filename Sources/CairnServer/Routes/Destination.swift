/// Where a request leads, found once, on the loop that got it.
struct Destination: Sendable {
  /// Nil for what is no path, or not UTF-8.
  let target: RequestTarget?
  /// The route and what its braces stand for, or that there is none.
  let route: Result<(Route, [String: String]), Refusal>

  init(of request: Request, _ router: Router) {
    let target = RequestTarget(request.target)
    self.target = target
    route = Result { () throws(Refusal) in
      guard let target else { throw Self.malformed }
      return try router.route(request.method, target.path)
    }
  }

  static let malformed = Refusal(
    400, "malformed",
    "the path or the query cannot be read: write % as %25 and # as %23, and text in UTF-8")

  /// Whether it only reads, so that nothing is left half done where it ends once nobody waits; what
  /// watchers ask for brings their index up to date.
  var endsEarly: Bool {
    guard case .success(let (route, _)) = route, route.part != .watch else { return false }
    return route.method == "GET" || route.scope == .read
  }

  /// On which threads it is answered.
  var lane: Route.Lane {
    guard case .success(let (route, _)) = route, let target else { return .request }
    let mayWait = route.parameters.contains { $0.name == "wait" }
    return mayWait && target.query.contains { $0.name == "wait" } ? .feed : route.lane
  }
}
