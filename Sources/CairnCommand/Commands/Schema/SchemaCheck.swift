import ArgumentParser
import Cairn
import Rows

struct SchemaDiff: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show how a file differs from the schema in force.",
    discussion: """
      A breaking difference may refuse, or answer otherwise, what went before; effect says what \
      setting the file does: nothing, other events refused, or projections built anew.
      """)

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: SchemaFile

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let store = try options.openForReading()
    let definition = try file.definition(in: store)
    let last = try answering(store.schema)
    var output = Output()
    for row in SchemaDifference.between(last?.definition ?? .none, definition) {
      let breaking = row.isBreaking ? ", breaking" : ""
      try output.row(
        "\(row.path)  \(row.change.rawValue)\(breaking), \(row.effect.rawValue)",
        json: options.json
      ) { line in
        line.field("path", row.path)
        line.field("change", row.change.rawValue)
        line.field("from", row.from ?? .null)
        line.field("to", row.to ?? .null)
        line.field("breaking", row.isBreaking)
        line.field("effect", row.effect.rawValue)
      }
    }
    try output.flush()
  }
}

struct SchemaCheck: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List items that break the schema, or a file; exit code 1 if any.")

  @Argument(help: "Check by this file instead; - is standard input.", completion: .file())
  var file: SchemaFile?

  @Option(help: .domain) var domain: String?

  @Option(help: ArgumentHelp("How many rows at most; 0: all.", valueName: "count")) var limit = 0

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit takes a number from 0.") }
  }

  func run() throws(Failure) {
    let store = try options.openForReading()
    let definition = try file.map { (file) throws(Failure) in try file.definition(in: store) }
    let point = try point.point(of: store)
    var output = Output()
    var problem: Failure?
    var count = 0
    let (json, limit) = (options.json, limit)
    try answering(
      store.forEachSchemaViolation(of: definition, at: point, domain: domain) { row in
        count += 1
        do throws(Failure) { try Self.write(row, json, to: &output) } catch {
          problem = error
          return false
        }
        return limit == 0 || count < limit
      })
    if let problem { throw problem }
    try output.flush()
    Listing.ending(count, "fault", none: "nothing here breaks it", options)
    if count > 0 { throw Failure(.no, nil) }
  }

  private static func write(_ row: SchemaViolation, _ json: Bool, to output: inout Output)
    throws(Failure)
  {
    let text = "\(row.item)  \(row.key): \(row.rule.rawValue)"
    try output.row(DisplayText.harmless(text), json: json) { line in
      line.field("item", row.item)
      line.field("domain", optional: row.domain)
      line.field("key", row.key)
      line.field("rule", row.rule.rawValue)
      line.field("sequence", row.sequence)
    }
  }
}
