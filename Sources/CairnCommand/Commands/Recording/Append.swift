import ArgumentParser
import Importers

struct Append: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append events, one JSON object a line.",
    discussion: """
      A line that is no event is reported as FILE:LINE: reason, written to --rejects and makes \
      the exit code 65; its neighbours are kept. What is counted as accepted is on disk. Events \
      without an id are new each time; import ndjson knows them again. gzip is unpacked.
      """)

  @Argument(help: "Files of events; - or nothing is standard input.", completion: .file())
  var files: [String] = []

  @OptionGroup var input: AppendOptions
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    let files = files.isEmpty ? ["-"] : files
    try input.append(to: writer, inputs: files) { (batch) throws(Failure) in
      for file in files { try EventFile.ndjson.read(file, into: &batch) }
    }
  }
}

/// What `append` and the importers have in common.
struct AppendOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write refused lines to this file, as they came.", valueName: "file"),
    completion: .file()) var rejects: String?

  @Option(
    help: ArgumentHelp(
      """
      Commit at least every so many lines (and whenever the input pauses; default: \(Self.lines), \
      \(Self.records) of other programs' histories).
      """, valueName: "lines")) var batch: Int?

  private static let lines = 32_768
  /// Histories name many items, and a commit holds every page that it changes.
  static let records = 8_192

  func validate() throws {
    guard batch ?? 1 > 0 else { throw ValidationError("--batch takes a number of lines from 1.") }
  }

  /// Runs a source of lines against a batch, commits the rest and says what became of all.
  ///
  /// When the source or the disk fails on the way, what was committed is summarised first.
  func append(
    to writer: WriterOptions, inputs: [String] = [], importing choices: ImportOptions? = nil,
    from source: (inout EventBatch) throws(Failure) -> Void
  ) throws(Failure) {
    try writer.options.refuseStoreFile(rejects)
    let sink = try EventSink(batchCount: batch ?? Self.lines, rejects: rejects, inputs: inputs) {
      () throws(Failure) in try writer.open()
    }
    do throws(Failure) {
      try Self.write(to: sink, inputs: inputs, importing: choices, from: source)
    } catch {
      if sink.lastSequence != nil || error.status == .disk {
        try sink.summarise(json: writer.options.json)
      }
      throw error
    }
    try sink.summarise(json: writer.options.json)
    sink.close()
    guard sink.rejected > 0 else { return }
    let isAnyKnown = sink.accepted > 0 || sink.duplicates > 0
    if !isAnyKnown, choices == nil, Terminal.errorsAreTerminal {
      Diagnostics.line("no line is an event; files of other programs: cairn import FILE")
    }
    throw Failure(.data, nil)
  }

  /// Runs a source of lines against a batch for a sink, and commits the rest.
  static func write(
    to sink: EventSink, inputs: [String], importing choices: ImportOptions?,
    from source: (inout EventBatch) throws(Failure) -> Void
  ) throws(Failure) {
    var events = EventBatch(sink, importing: choices)
    events.inputByteCount = InputSize.total(inputs)
    InterruptNote.set("nothing was recorded yet")
    defer { InterruptNote.clear() }
    do {
      try source(&events)
      try events.commit()
      events.finish()
    } catch {
      // Where the input breaks off, what was read before is as good as any other.
      if error.status == .data || error.status == .noInput { try? events.commit() }
      events.finish()
      // What the writer has in hand counts; the first problem is the one to tell.
      while events.isUnsettled { do { try events.settle() } catch {} }
      throw error
    }
  }
}

extension EventBatch {
  /// Takes every line, committing when full and when the input pauses.
  mutating func read(_ reader: inout LineReader) throws(Failure) {
    while true {
      switch try reader.next() {
      case .line(let line): try add(line, place: reader.name, number: reader.lineNumber)
      case .tooLong:
        refuse([], place: reader.name, number: reader.lineNumber, reason: "the line is too long")
      case .pause: try commit()
      case .end: return endFile(reader.fileByteCount)
      }
      report(reader.fileByteCount)
      if isFull { try submit() }
    }
  }
}
