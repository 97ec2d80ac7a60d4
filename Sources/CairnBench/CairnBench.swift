import Glibc

/// Measures what `make bench` cannot measure from outside; prints `name value` lines.
///
/// Built only where `CAIRN_BENCH` is set.
@main enum CairnBench {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    let usage =
      "usage: CairnBench durable DIR | single STORE | scan STORE | evidence STORE | purge STORE DOMAIN | "
      + "ranking DIR | spotlight DIR | view DIR | top DIR [ITEMS VIEWS] | processes N A... [-- B...] | "
      + "search-build DIR CORPUS [AGAIN] | "
      + "search-query DIR QUERIES PASSES [ASOF] | search-update DIR CORPUS COUNT"
    guard let mode = arguments.popFirst(), let subject = arguments.popFirst() else {
      print(usage)
      exit(64)
    }
    switch mode {
    case "durable": try await DurableBench(directory: subject).run()
    case "single": try SingleBench(store: subject).run()
    case "scan": try ScanBench(store: subject).run()
    case "evidence": try EvidenceBench(store: subject).run()
    case "purge":
      guard let domain = arguments.popFirst() else {
        print(usage)
        exit(64)
      }
      try PurgeBench(store: subject, domain: domain).run()
    case "ranking": try RankingBench(directory: subject).run()
    case "spotlight": try await SpotlightBench(directory: subject).run()
    case "view": try ViewBench(directory: subject).run()
    case "top":
      var bench = TopBench(directory: subject)
      if let items = arguments.popFirst().flatMap({ Int($0) }) { bench.items = items }
      if let views = arguments.popFirst().flatMap({ Int($0) }) { bench.views = views }
      try bench.run()
    case "processes":
      let commands = arguments.split(separator: "--").map(Array.init)
      guard let rounds = Int(subject), let first = commands.first else {
        print(usage)
        exit(64)
      }
      try ProcessBench(rounds: rounds, first: first, second: commands.dropFirst().first).run()
    case "search-build", "search-query", "search-update":
      let numbers = arguments.dropFirst().compactMap { Int($0) }
      try Self.search(mode, subject, arguments.first ?? "", numbers)
    default:
      print(usage)
      exit(64)
    }
  }
}

extension CairnBench {
  private static func search(_ mode: String, _ directory: String, _ file: String, _ numbers: [Int])
    throws
  {
    let bench = SearchBench(directory: directory)
    switch mode {
    case "search-build": try bench.build(file, again: numbers.first ?? 0)
    case "search-query":
      let asOf = numbers.dropFirst().first.map { UInt64($0) }
      try bench.query(file, passes: numbers.first ?? 5, asOf: asOf)
    default: try SearchUpdateBench(directory: directory).run(file, count: numbers.first ?? 1_000)
    }
  }
}

/// Times of one thing done many times.
struct Samples {
  private(set) var microseconds: [Double] = []

  mutating func time(_ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    add((ContinuousClock.now - start) / .microseconds(1))
  }

  mutating func add(_ time: Double) { microseconds.append(time) }

  /// The middle one, in microseconds.
  var median: Double { microseconds.isEmpty ? 0 : microseconds.sorted()[microseconds.count / 2] }
}

func report(_ name: String, _ value: Double) { print(name, (value * 10).rounded() / 10) }
