import ArgumentParser
import Cairn
import Rows

struct Stats: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count events and items, and show the state of the projections.",
    aliases: ["status"])

  @Flag(help: "Also show what each table takes on disk.") var sizes = false

  @Option(
    help: ArgumentHelp(
      "Also tell what keeping the versions of the last so many days would let go.",
      valueName: "days")) var horizon: Int?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point)
    let statistics = try answering(moment.statistics())
    let tables = sizes ? try answering(moment.store.tables()) : nil
    let plan = try horizon.map { (days) throws(Failure) in
      try answering(moment.store.planHorizon(days: days))
    }
    var output = Output()
    if options.json {
      try output.object { $0.fields(of: statistics, tables: tables, horizon: plan) }
    } else {
      try Self.write(statistics, to: &output)
      if let plan {
        try output.line(
          "horizon      event \(plan.sequence), \(Readable.count(plan.days, "day")) back: "
            + "\(Readable.count(plan.versionCount, "old version")) before it, "
            + Readable.bytes(plan.byteCount))
      }
      try Self.write(tables ?? [], of: statistics.eventCount, to: &output)
    }
    try output.flush()
  }

  private static func write(
    _ tables: [StoredTable], of eventCount: Int, to output: inout Output
  ) throws(Failure) {
    let widths = Table([.left(12), .left(20), .right(12), .right(10), .right(14)])
    for table in tables {
      let share = Double(table.byteCount) / Double(max(1, eventCount))
      try output.line(
        widths.row([
          table.file, table.table ?? "(free)", Readable.number(table.rowCount),
          Readable.bytes(table.byteCount), "\(Readable.decimal(share, 1)) an event",
        ]))
    }
  }

  private static let domainCountMax = 10

  private static func write(_ statistics: Statistics, to output: inout Output) throws(Failure) {
    let recorded = statistics.recorded.map { " (\(Readable.time($0)))" } ?? ""
    try output.line("head         event \(statistics.head)\(recorded)")
    try output.line("events       \(Readable.number(statistics.eventCount))")
    for (name, count) in statistics.kinds.sorted(by: { $0.key < $1.key }) {
      let count = DisplayText.padLeft(Readable.number(count), 12)
      try output.line("  \(DisplayText.pad(name, 12))\(count)")
    }
    try output.line("items        \(Readable.number(statistics.itemCount))")
    let largest = statistics.domains.sorted {
      $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
    }
    let width = Terminal.width ?? 80
    let table = Table([.left(min(36, width - 16)), .right(12)], width: width)
    for domain in largest.prefix(domainCountMax) {
      let shown = domain.key.isEmpty ? "(no domain)" : domain.key
      try output.line("  " + table.row([shown, Readable.number(domain.value)]))
    }
    if largest.count > domainCountMax {
      try output.line("  and \(Readable.number(largest.count - domainCountMax)) more domains")
    }
    if let schema = statistics.schema {
      try output.line("schema       version \(schema.version) (event \(schema.sequence))")
    }
    try output.line("on disk      \(Readable.bytes(statistics.byteCount))")
    for projection in statistics.projections {
      let digest = projection.digest.map { "  \($0.prefix(16))…" } ?? ""
      let lag = projection.lag > 0 ? ", \(Readable.number(projection.lag)) behind" : ""
      try output.line(
        "\(DisplayText.pad(projection.name, 13))event \(projection.sequence)\(lag)\(digest)")
    }
  }
}
