import ArgumentParser
import Cairn
import Rows

struct SchemaSet: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Put a schema into force.",
    discussion: """
      What has to be built anew is built beside the old, and one step switches; --dry-run says \
      beforehand what that will be. cairn schema undo returns to the one before.
      """)

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: SchemaFile

  @OptionGroup var change: SchemaChangeOptions
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    let existing = try writer.options.openIfThere()
    let definition =
      if let existing { try file.definition(in: existing) } else { try file.firstDefinition() }
    if change.dryRun {
      guard let existing else { return try change.write(.first(definition), writer.options) }
      return try change.write(try answering(existing.planSchema(definition)), writer.options)
    }
    existing?.close()
    let store = try writer.open()
    defer { store.close() }
    let done = try Rebuild.interruptible("building") { (tell) throws(CairnError) in
      try store.setSchema(definition, keeping: change.keep, progress: tell)
    }
    if let done { try change.write(done, writer.options) }
  }
}

struct SchemaUndo: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Return to the schema that the one in force was set on.",
    discussion: "Events between stay. Again: to the one before that, at last to none.")

  @OptionGroup var change: SchemaChangeOptions
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    if change.dryRun {
      let store = try writer.options.openForReading()
      return try change.write(try answering(store.planSchemaUndo()), writer.options)
    }
    let store = try writer.openExisting()
    defer { store.close() }
    let done = try Rebuild.interruptible("building") { (tell) throws(CairnError) in
      try store.undoSchema(keeping: change.keep, progress: tell)
    }
    if let done { try change.write(done, writer.options) }
  }
}

/// What set and undo have in common.
struct SchemaChangeOptions: ParsableArguments {
  @Flag(help: "Say what it would do and change nothing.") var dryRun = false

  @Flag(help: "Keep the old projections, so that going back takes no time.") var keep = false

  func write(_ change: SchemaChange, _ options: StoreOptions) throws(Failure) {
    try Output.answer(text(change), json: options.json) { line in
      line.field("changed", change.isChanged)
      line.field("version", change.version)
      line.field("sequence", optional: change.sequence)
      line.field("parent", change.parent)
      line.field("violations", change.violationCount)
      line.field("projections", objects: change.projections) { line, projection in
        line.field("name", projection.name)
        line.field("events", projection.eventCount)
        line.field("seconds", projection.seconds)
        line.field("bytes", projection.byteCount)
      }
      line.field("events", change.eventCount)
      line.field("seconds", change.seconds)
      line.field("bytes", change.byteCount)
    }
  }

  private func text(_ change: SchemaChange) -> String {
    guard change.isChanged else {
      return "nothing changes: version \(change.version) says the same"
    }
    var text = "version \(change.version)"
    if !change.projections.isEmpty {
      let names = change.projections.map(\.name).joined(separator: ", ")
      text += dryRun ? " would build" : " built"
      text += " \(names): \(Readable.count(change.eventCount, "event"))"
      text += ", \(Readable.decimal(change.seconds, 2)) s, \(Readable.bytes(change.byteCount))"
    }
    if change.violationCount > 0 {
      let count = Readable.count(change.violationCount, "item")
      text += "; broken by \(count), see: cairn schema check"
    }
    return text
  }
}
