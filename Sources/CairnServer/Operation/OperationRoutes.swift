import Cairn

extension Service {
  static let operationRoutes = [
    Route(
      "GET", "/healthz", nil, "Whether the process lives", lane: .health, part: .operation,
      gives: .file([MediaType.text])
    ) { (_) throws(Refusal) in .text("ok\n") },
    Route(
      "GET", "/readyz", nil, "Whether everything can be answered", lane: .health, part: .operation,
      gives: .file([MediaType.text])
    ) { (call) throws(Refusal) in
      if !call.service.storeIdentity.isThere {
        throw Refusal(503, "missing", "the store was removed or replaced; start the server anew")
      }
      do throws(CairnError) {
        _ = try call.store.at()
        if let failure = call.store.projectionFailure { throw failure }
      } catch {
        var refusal = Refusal(error)
        refusal.status = 503
        throw refusal
      }
      if let problem = call.service.problem { throw problem }
      return .text("ready\n")
    },
    Route(
      "GET", "/metrics", .read, "Counts in the text form of Prometheus", part: .operation,
      gives: .file([MediaType.text])
    ) { (call) throws(Refusal) in
      let text = try answering(call.service.metrics.text(call.service))
      return Answer(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
    },
  ]
}
