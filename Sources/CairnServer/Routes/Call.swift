package import Cairn

/// A request that passed the rules, on its way to its handler.
package struct Call: Sendable {
  package let service: Service
  package let exchange: Exchange
  package let identity: Identity?
  package let target: RequestTarget
  package let parameters: Parameters
  /// What the braces of the route's path stand for.
  package let names: [String: String]
  let body: Route.Body
  /// Headers that the answer gets whatever becomes of it.
  package let extraHeaders: [Header]

  package var store: Store { service.store }
  package var request: Request { exchange.request }

  /// The whole body.
  /// - Throws: 413 when it is longer than the route allows.
  func wholeBody() throws(Refusal) -> [UInt8] {
    try exchange.body.whole(
      limit: body.byteCountMax ?? ServiceLimits.eventsByteCount, declared: request.declaredCount)
  }

  /// Begins an answer in pieces; with HEAD that is all of it.
  func begin(_ contentType: String, _ headers: [Header] = []) throws(Refusal) -> AnswerStream {
    let all = CommonHeaders.list(requestID: request.id) + extraHeaders
    let own = [Header("Content-Type", contentType)] + headers
    try exchange.answer.begin(AnswerHead(200, all + own))
    if request.method == "HEAD" {
      exchange.answer.end()
      throw .gone
    }
    return exchange.answer
  }

  /// The whole body as a JSON object that has the members that the route names; none is an empty
  /// one.
  package func object() throws(Refusal) -> JSONObject {
    let bytes = try wholeBody()
    let object = bytes.isEmpty ? JSONObject() : try JSONBody.object(bytes, isOfWatcher: isOfWatcher)
    if case .object(let known) = body { try Parameters.check(object, of: known) }
    return object
  }

  private var isOfWatcher: Bool { target.path.starts(with: ["api", "0"]) }

  package var wantsLines: Bool {
    let accepted = AcceptedTypes(request.values("accept"))
    guard let lines = accepted.ownWeight(of: MediaType.ndjson), lines > 0 else { return false }
    return lines >= accepted.weight(of: MediaType.json)
  }

  /// Whether the one who asked would be let in still: a token may be taken back while an answer
  /// goes on, and one that cannot be looked up lets nobody in.
  func isStillLetIn() -> Bool {
    guard let identity, request.peer == .network else { return true }
    do throws(CairnError) { return try service.tokens.knows(identity) } catch { return false }
  }

  /// The moment that the query names; the present where it names none.
  package func moment(now: Timestamp? = nil) throws(Refusal) -> Moment {
    if let clock = try parameters.time("clock"), let sequence = try parameters.sequence("asOf") {
      return try answering(store.at(sequence: sequence, clock: clock, now: now))
    }
    return try moment(parameters.text("asOf"), "asOf", now: now)
  }

  /// The last event that an answer of events tells: that of `asOf`, or all that are acknowledged.
  func lastEvent() throws(Refusal) -> UInt64 {
    guard parameters.text("asOf") == nil else { return try moment().sequence }
    return try answering(store.acknowledgedHead())
  }

  package func moment(_ text: String?, _ name: String, now: Timestamp? = nil) throws(Refusal)
    -> Moment
  {
    guard let text else { return try answering(store.at(now: now)) }
    do {
      return try store.at(try store.point(Parameters.unspaced(text), zone: .local), now: now)
    } catch { throw Refusal(error, place: name) }
  }

  /// The query of the next page: this one's, with some values in place of others.
  package func next(_ changes: [(name: String, value: String)]) -> String {
    var query = target.query.filter { pair in !changes.contains { $0.name == pair.name } }
    query += changes
    let pairs = query.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
    return "\(target.encodedPath)?\(pairs.joined(separator: "&"))"
  }
}
