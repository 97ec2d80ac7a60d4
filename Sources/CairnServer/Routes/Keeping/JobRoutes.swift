import Cairn
import Rows

extension Service {
  static let jobRoutes = [
    Route("GET", "/api/v1/jobs", .read, "Long work that runs or ran within a day", gives: .list) {
      (call) throws(Refusal) in
      try call.list(call.service.jobs.list(), at: try call.head()) { $0.fields(of: $1) }
    },
    Route("GET", "/api/v1/jobs/{job}", .read, "How a job stands") { (call) throws(Refusal) in
      try call.answer(job: call.service.jobs.job(call.names["job"] ?? ""))
    },
    Route("DELETE", "/api/v1/jobs/{job}", .admin, "Ask a job to stop", gives: .object) {
      (call) throws(Refusal) in
      try call.answer(job: call.service.jobs.cancel(call.names["job"] ?? ""))
    },
    Route(
      "POST", "/api/v1/rebuild", .admin, "Build the projections anew, as a job",
      body: .object([])
    ) { (call) throws(Refusal) in
      _ = try call.object()
      let (store, health) = (call.store, call.service.health)
      return call.accepted(
        try call.service.jobs.begin("rebuild", writes: true) { (progress) throws(CairnError) in
          let results = try store.rebuild { progress.isWanted($0.sequence, of: $0.head) }
          // Every event was read for it.
          if results != nil { health.noteSound() }
          return results.map { results in JSONLine.array(results) { $0.fields(of: $1) } }
        })
    },
    Route(
      "POST", "/api/v1/verify", .admin, "Check the log and the projections, as a job",
      body: .object([Parameter("deep", .flag)]), isReading: true
    ) { (call) throws(Refusal) in
      let (store, service, deep) = (call.store, call.service, try call.object().flag("deep"))
      return call.accepted(
        try call.service.jobs.begin("verify", writes: false) { (progress) throws(CairnError) in
          let head = try store.at().sequence
          var isWhole = true
          var found = try store.verify(deep: deep) { done in
            isWhole = progress.isWanted(done, of: head)
            return isWhole
          }
          found.addKeptFiles(of: store.directory)
          // That the beginning is sound says nothing of the rest.
          guard isWhole || !found.problems.isEmpty else { return nil }
          service.note(found)
          return JSONLine.value { $0.fields(of: found) }
        })
    },
  ]

  /// Keeps what a verification found for who asks how the server is.
  private func note(_ found: Verification) {
    metrics.noteVerified()
    if let problem = found.problems.first {
      health.note(Refusal(500, "corrupt", problem.message, place: problem.place))
    } else {
      health.noteSound()
    }
  }

  static let migrationRoutes = [
    Route(
      "GET", "/api/v1/migrations", .read, "Changes of stored forms, and how they stand",
      gives: .list
    ) { (call) throws(Refusal) in
      let found = try answering(call.store.migrations())
      return try call.list(found, at: try call.head()) { $0.fields(of: $1) }
    }
  ]
}

extension Call {
  /// The sequence that answers without a point are made at.
  func head() throws(Refusal) -> UInt64 { try answering(store.at().sequence) }

  /// Says that a job was begun.
  func accepted(_ job: JobTable.Job) -> Answer {
    var answer = Answer.object(202) { $0.fields(of: job) }
    answer.headers = [Header("Location", "/api/v1/jobs/\(job.id)")]
    return answer
  }

  func answer(job: JobTable.Job?) throws(Refusal) -> Answer {
    guard let job else { throw .notFound("no such job; jobs are kept for a day after their end") }
    return .object { $0.fields(of: job) }
  }
}
