import ArgumentParser
import Cairn

struct Stats: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count events and items, and show the state of the projections.",
    aliases: ["status"])

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let moment = try options.moment(point)
    let statistics = try answering { () throws(CairnError) in try moment.statistics() }
    var output = Output()
    if options.json {
      try output.object { Self.fields(of: statistics, &$0) }
    } else {
      try Self.write(statistics, to: &output)
    }
    try output.flush()
  }

  private static func fields(of statistics: Statistics, _ line: inout JSONLine) {
    line.field("head", statistics.head)
    line.field("recorded", optional: statistics.recorded)
    line.field("items", statistics.itemCount)
    line.field("events", statistics.eventCount)
    line.field("kinds", json: counts(statistics.kinds))
    line.field("domains", json: counts(statistics.domains))
    line.field("bytes", statistics.byteCount)
    line.field(
      "projections",
      json: JSONLine.array(statistics.projections) { line, projection in
        line.field("name", projection.name)
        line.field("sequence", projection.sequence)
        line.field("lag", projection.lag)
        line.field("digest", optional: projection.digest)
      })
  }

  /// An object of counts, names in byte order.
  static func counts(_ counts: [String: Int]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (index, name) in inByteOrder(counts).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(name, to: &bytes)
      bytes.append(contentsOf: ":\(counts[name] ?? 0)".utf8)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func inByteOrder(_ counts: [String: Int]) -> [String] {
    counts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static let domainCountMax = 10

  private static func write(_ statistics: Statistics, to output: inout Output) throws(Failure) {
    let recorded = statistics.recorded.map { " (\(Readable.time($0)))" } ?? ""
    try output.line("head         event \(Readable.number(statistics.head))\(recorded)")
    try output.line("events       \(Readable.number(statistics.eventCount))")
    for name in inByteOrder(statistics.kinds) {
      let count = Readable.number(statistics.kinds[name] ?? 0)
      try output.line("  \(DisplayText.pad(name, 12))\(DisplayText.padLeft(count, 12))")
    }
    try output.line("items        \(Readable.number(statistics.itemCount))")
    let largest = statistics.domains.sorted {
      $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
    }
    let table = Table([.left(36), .right(12)], width: Terminal.width ?? 80)
    for (name, count) in largest.prefix(domainCountMax) {
      let shown = name.isEmpty ? "(no domain)" : name
      try output.line("  " + table.row([shown, Readable.number(count)]))
    }
    if largest.count > domainCountMax {
      try output.line("  and \(largest.count - domainCountMax) more domains")
    }
    try output.line("on disk      \(Readable.bytes(statistics.byteCount))")
    for projection in statistics.projections {
      let digest = projection.digest.map { "  \($0.prefix(16))…" } ?? ""
      let lag = projection.lag > 0 ? ", \(projection.lag) behind" : ""
      try output.line(
        "\(DisplayText.pad(projection.name, 13))event \(projection.sequence)\(lag)\(digest)")
    }
  }
}
