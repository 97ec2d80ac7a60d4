import ArgumentParser
import Cairn
import Rows

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Say what the attributes of items are, and change that safely.",
    discussion: """
      A schema names the attributes of a domain: their types, which must be there, which search \
      finds, how older events become of today's shape. It is recorded like everything else.

      Example of a file:
        {"cairnSchema": 1, "domains": {"films": {"attributes": {
          "title": {"type": "text", "required": true}}}}}

      The rest of what it can say: cairn help schemas.
      """,
    subcommands: [
      SchemaShow.self, SchemaSet.self, SchemaDiff.self, SchemaCheck.self, SchemaHistoryCommand.self,
      SchemaUndo.self,
    ])
}

struct SchemaFile: ExpressibleByArgument {
  /// What reports call it.
  let name: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    name = argument
  }

  /// Reads the file as one that is to follow on the schema in force.
  func definition(in store: Store) throws(Failure) -> SchemaDefinition {
    let bytes = try bytes()
    do throws(CairnError) { return try store.readSchema(bytes) } catch {
      guard error.code == .badSchema else { throw Failure(error) }
      throw refused(error.message)
    }
  }

  /// Reads the file as the first schema of a store.
  func firstDefinition() throws(Failure) -> SchemaDefinition {
    let bytes = try bytes()
    do throws(SchemaFault) { return try SchemaDefinition(parsing: bytes) } catch {
      throw refused(error.line)
    }
  }

  private func bytes() throws(Failure) -> [UInt8] {
    try WholeInput.beginning(of: name, past: SchemaLimits.byteCount)
  }

  private func refused(_ reason: String) -> Failure {
    Diagnostics.line("\(name): \(reason)")
    return Failure(.data, nil)
  }
}

struct SchemaShow: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the schema in force, as set takes it.")

  @Option(help: ArgumentHelp("That version instead.", valueName: "n")) var version: Int?

  @Option(
    help: ArgumentHelp(
      "Add what is said of this domain, inheritance done (with --json).", valueName: "domain"))
  var domain: String?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let store = try options.openForReading()
    let shown = try found(in: store)
    let definition = shown?.definition ?? .none
    try Output.answer(ReadableJSON.text(definition.document), json: options.json) { line in
      line.field("version", shown?.version ?? 0)
      line.field("sequence", optional: shown?.sequence)
      line.field("recorded", optional: shown?.recorded)
      line.field("parent", shown?.parent ?? 0)
      line.field("definition", definition.document)
      if let domain { line.field("effective", definition.effective(domain).json) }
    }
  }

  private func found(in store: Store) throws(Failure) -> SchemaVersion? {
    let last = try point.asOf.map { (asOf) throws(Failure) in
      let point = try asOf.point(of: store)
      return try answering(store.schema(at: point))
    }
    let history = try answering(store.schemaHistory())
    let known = last.map { history.prefix($0?.version ?? 0) } ?? history[...]
    guard let version, version != 0 else { return version == nil ? known.last : nil }
    guard let found = known.first(where: { $0.version == version }) else {
      throw Failure(.no, "no schema has that version; see: cairn schema history")
    }
    return found
  }
}

struct SchemaHistoryCommand: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the versions of the schema, oldest first.")

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let store = try options.openForReading()
    let versions = try answering(store.schemaHistory())
    var output = Output()
    let table = Table([.right(7), .right(10), .left(26), .right(6), .right(7), .left(16)])
    let headings = ["VERSION", "SEQUENCE", "RECORDED", "PARENT", "REVERTS", "DIGEST"]
    try Listing.heading(headings, table, options, to: &output)
    for version in versions {
      let cells = [
        String(version.version), String(version.sequence), Readable.time(version.recorded),
        String(version.parent), version.reverts.map { String($0) } ?? "",
        String(version.definition.digest.prefix(16)),
      ]
      try output.row(table.row(cells), json: options.json) { line in
        line.field("version", version.version)
        line.field("sequence", version.sequence)
        line.field("recorded", version.recorded.rfc3339)
        line.field("parent", version.parent)
        line.field("reverts", optional: version.reverts)
        line.field("active", version.version == versions.count)
        line.field("digest", version.definition.digest)
      }
    }
    try output.flush()
    let none = "no schema was set yet; set one with: cairn schema set FILE"
    Listing.ending(versions.count, "version", none: none, options)
  }
}
