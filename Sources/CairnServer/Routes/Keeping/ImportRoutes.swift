import Cairn
import Importers
import Rows

extension Service {
  static let importRoutes = [
    Route(
      "POST", "/api/v1/import/{format}", .write,
      "Take in a history that something else kept: the body is the file, as of cairn import --list",
      [
        Parameter("host", .text), Parameter("home", .text), Parameter("timezone", .text),
        Parameter("since", .time), Parameter("only", .text, repeats: true),
        Parameter("except", .text, repeats: true),
      ], body: .file(limit: ServiceLimits.importByteCount), lane: .stream, ownStatuses: [422],
      run: takeIn)
  ]

  private static func takeIn(_ call: Call) throws(Refusal) -> Answer? {
    let source = try call.importSource()
    let options = try call.importOptions(of: source)
    let service = call.service
    // One alone sorts in some hundred megabytes of memory, and has its scratch files.
    guard service.importLock.tryLock() else {
      throw Refusal(
        503, "busy", "another import is under way; try again when it is done",
        headers: [Header("Retry-After", "5")])
    }
    defer { service.importLock.unlock() }
    var intake = EventIntake(call, ofFile: true)
    do throws(Refusal) {
      let file = try call.bodyFile()
      switch source {
      case .lines: try intake.takeLines(of: file, options, for: call)
      case .table: try intake.takeRows(of: file, options, for: call)
      case .history(let format): try intake.take(format, in: file, options, for: call)
      }
      try intake.finish()
    } catch { throw intake.settle(after: error, for: service) }
    service.noteTaken(by: intake)
    return intake.answer
  }
}

extension Parameter {
  static let importFormats =
    ["ndjson", "csv", ArchivedHistories.name] + HistoryFormats.all.map { $0.name }
}

private enum ImportSource {
  /// Events of ours, one JSON object a line.
  case lines
  /// Events of ours as a table.
  case table
  case history(any HistoryFormat.Type)
}

extension Call {
  fileprivate func derivedIDs() throws(Refusal) -> DerivedID {
    DerivedID(key: try answering(store.importKey()))
  }

  /// What the path and the query say about the body.
  fileprivate func importSource() throws(Refusal) -> ImportSource {
    // Any page may send these, and a body without a type, without asking first.
    let simple = [MediaType.form, MultipartForm.type, "text/plain"]
    guard let type = request.value("content-type")?.lowercased(),
      !simple.contains(where: { type.hasPrefix($0) })
    else {
      throw Refusal(
        415, "mediaType", "the body is the file itself; send it as application/octet-stream")
    }
    switch names["format"] ?? "" {
    case "ndjson", "cloudevents": return .lines
    case "csv": return .table
    case ArchivedHistories.name: return .history(ArchivedHistories.self)
    case let name:
      guard let format = HistoryFormats.named(name) else {
        throw .notFound("there is no such format; see: cairn import --list")
      }
      return .history(format)
    }
  }

  fileprivate func importOptions(of source: ImportSource) throws(Refusal) -> ImportOptions {
    switch source {
    case .history: break
    case .lines, .table:
      // A file of events says itself where it is from.
      for name in ["host", "home"] where parameters.filled(name) != nil {
        throw .parameter(name, "does not go with a file of events")
      }
    }
    var zone = TimeZone.system()
    if let name = parameters.text("timezone") {
      guard let named = TimeZone(named: name) else {
        throw .parameter("timezone", "names no zone of this machine, such as Europe/Berlin")
      }
      zone = named
    }
    var options = ImportOptions(
      host: parameters.filled("host") ?? LocalMachine.shortName,
      home: parameters.filled("home") ?? LocalMachine.home, zone: zone,
      scratch: service.scratchPath)
    options.since = try parameters.time("since")?.microseconds
    options.domains = parameters.texts("only")
    options.except = parameters.texts("except")
    options.outlived = try answering(service.store.outlived())
    return options
  }

  /// The body as a file that has no name and is gone with the request.
  /// - Throws: 413 for more than 1 GiB, 408 for a client that is too slow, 507.
  fileprivate func bodyFile() throws(Refusal) -> ScratchFile {
    let file = try answering(ScratchFile(in: service.scratchPath))
    var waited = Duration.zero
    while let piece = try exchange.body.read(waited: &waited) {
      guard file.byteCount + piece.count <= ServiceLimits.importByteCount else {
        throw RequestBody.tooLarge(ServiceLimits.importByteCount)
      }
      try answering(file.write(piece))
    }
    return file
  }

  /// Whether somebody still waits for the answer.
  fileprivate var isWanted: Bool { !exchange.answer.isClosed && !service.isStopping }

  /// A server that ends answers nothing, and waits for no answer.
  fileprivate func checkWanted() throws(Refusal) {
    guard !isWanted else { return }
    exchange.answer.abort()
    throw .gone
  }
}

extension EventIntake {
  private mutating func submitIfFull(for call: Call) throws(Refusal) {
    guard isFull else { return }
    try call.checkWanted()
    try submit()
  }

  /// Takes lines; one without an id is told again by what it says.
  fileprivate mutating func takeLines(
    of file: ScratchFile, _ options: ImportOptions, for call: Call
  ) throws(Refusal) {
    wanted = WantedLines(options)
    identities = LineIdentities(try call.derivedIDs())
    var lines = LineStream(try answering(ByteStream(path: file.path)))
    while true {
      let line: LineStream.Line?
      do throws(CairnError) { line = try lines.next() } catch { throw Refusal(error) }
      guard let line else { return }
      guard !line.isTooLong else { throw BodyLines.tooLong(line.number) }
      try add(line.bytes[...], line: line.number)
      try submitIfFull(for: call)
    }
  }

  /// Takes the rows of a table as an export writes it.
  fileprivate mutating func takeRows(
    of file: ScratchFile, _ options: ImportOptions, for call: Call
  ) throws(Refusal) {
    wanted = WantedLines(options)
    identities = LineIdentities(try call.derivedIDs())
    var table: CSVEvents
    do throws(CairnError) {
      table = try CSVEvents(try CSVRows(try ByteStream(path: file.path)), zone: options.zone)
    } catch {
      guard error.code == .malformed else { throw Refusal(error) }
      throw Refusal(400, "malformed", error.message, place: "body")
    }
    table.schema = try answering(call.store.schema?.definition ?? .none)
    while true {
      let row: CSVRows.Row?
      do throws(CairnError) { row = try table.next() } catch { throw Refusal(error) }
      guard let row else { return }
      var event: [UInt8]?
      do throws(MalformedLine) { event = try table.event(of: row) } catch {
        refuse(.line(row.line), error.reason)
      }
      if let event { try add(event[...], line: row.line) }
      try submitIfFull(for: call)
    }
  }

  /// Reads what another program kept, puts it in the order of time and takes it.
  fileprivate mutating func take(
    _ format: any HistoryFormat.Type, in file: ScratchFile, _ options: ImportOptions,
    for call: Call
  ) throws(Refusal) {
    firstWins = true
    let ids = try call.derivedIDs()
    let past = try answering(PastUses(of: [format], in: call.store))
    var refused: [(place: RecordPlace, reason: String)] = []
    var refusedCount = 0
    let run = ImportRun(options: options, ids: ids, past: past, isWanted: { call.isWanted }) {
      _, place, reason, _ in
      refusedCount += 1
      if refused.count < Self.rejectsMax { refused.append((place, reason)) }
    }
    do throws(CairnError) {
      try run.read(
        try InputFile("body", at: file.path, modified: nil, options: options), as: format)
    } catch {
      try call.checkWanted()
      throw Refusal(error)
    }
    for (place, reason) in refused { refuse(place, reason) }
    count(refused: refusedCount - refused.count)
    do throws(MergeError<Refusal>) {
      try run.forEachEvent { (entry) throws(Refusal) in
        try answering(add(imported: entry.event, at: entry.place))
        try submitIfFull(for: call)
      }
    } catch {
      switch error {
      case .body(let refusal): throw refusal
      case .scratch(let problem): throw Refusal(problem)
      }
    }
    try checkFiles(of: run)
  }

  /// Refuses a body of another format; of an archive, only one in which nothing could be read.
  private mutating func checkFiles(of run: ImportRun) throws(Refusal) {
    let failures = run.files.compactMap(\.failure)
    if let first = failures.first, failures.count == run.files.count {
      throw Refusal(400, "malformed", first.message, place: "body")
    }
    for failure in failures { refuse(.element(0), failure.message) }
  }
}
