import Cairn
import Foundation
import Glibc
import LMDB
import Text
import TextIndex

/// The text index alone, as a library beside other libraries: no log, no catalog, no stored text.
struct SearchBench {
  let directory: String

  private func environment(create: Bool) throws -> Environment {
    try Environment.open(
      directory + "/index.mdb",
      Environment.Configuration(durability: .deferred, tables: TextIndex.tables, create: create))
  }

  /// As many as a rebuild folds at once, and the memory it may take.
  private static let batchCount = 65_536
  private static let memory = Store.rebuildMemory

  /// Builds an index of a corpus of title, text and keywords the way a rebuild does; then replaces
  /// some texts by others.
  func build(_ path: String, again: Int) throws {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    unsafe _ = mkdir(directory, 0o755)
    let corpus = MappedCorpus(path: path)
    let environment = try environment(create: true)
    let index = TextIndex(environment: environment)
    nonisolated(unsafe) let context = FoldContext()
    let count = corpus.count
    let before = Self.peakMemory
    let start = ContinuousClock.now
    try unsafe index.beginBuild(in: environment, at: directory + "/index.build", context: context)
    for first in stride(from: 0, to: count + again, by: Self.batchCount) {
      let batch = first..<min(first + Self.batchCount, count + again)
      try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        defer { unsafe context.endCall() }
        try unsafe index.analyseAhead(
          count: batch.count, named: UInt64(first), in: &txn, context: context
        ) { corpus.document((first + $0) % count) }
        let next = batch.upperBound
        unsafe context.prepare(UInt64(next), count: min(Self.batchCount, count + again - next)) {
          corpus.document((next + $0) % count)
        }
        let changes = batch.map { number in
          let item = number < count ? number : (number - count) * 7_919 % count
          return TextIndex.Change.put(
            item: UInt32(item), itemKey: (UInt64(item), 1), sequence: UInt64(number + 1),
            fields: [], buffer: [])
        }
        _ = try unsafe index.apply(changes, in: &txn, context: context)
      }
      corpus.releaseMemory()
      environment.releaseMemory()
    }
    unsafe context.endAhead()
    try unsafe index.finishBuild(in: environment, memory: Self.memory, context: context)
    try environment.sync()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    report("build-rate", Double(count + again) / seconds)
    report("index-bytes", Double(environment.byteCount))
    report("peak-kilobytes", Double(Self.peakMemory))
    report("peak-kilobytes-before", Double(before))
  }

  /// The most memory the process ever had, in kilobytes: `VmHWM` of proc(5), since what
  /// getrusage(2) tells is that of the process which started this one, where that had more.
  static var peakMemory: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return 0
    }
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      return Int(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? 0
    }
    return 0
  }

  /// Runs the queries of a file of class and text, each some times in a row, and reports by class
  /// the median ones, what the first times took, and the hits.
  ///
  /// A class may have a name behind a colon, to be reported for itself.
  func query(_ path: String, passes: Int, asOf: UInt64?) throws {
    let environment = try environment(create: false)
    let index = TextIndex(environment: environment)
    let queries = SearchCorpus(path: path)
    var order: [String] = []
    var samples: [String: (median: Samples, first: Samples, hits: Int)] = [:]
    for line in queries.lines {
      let name = queries.text(line[0])
      let text = queries.text(line[1])
      var passed = Samples()
      var first = 0.0
      var count = 0
      for pass in 0..<passes {
        try passed.time { count = try Self.count(name, text, index, environment, asOf) }
        if pass == 0 { first = passed.median }
      }
      if samples[name] == nil { order.append(name) }
      var sum = samples[name] ?? (Samples(), Samples(), 0)
      sum.median.add(passed.median)
      sum.first.add(first)
      sum.hits += count
      samples[name] = sum
    }
    for name in order {
      guard let sum = samples[name] else { continue }
      report("\(name)-p50", sum.median.percentile(0.5))
      report("\(name)-p99", sum.median.percentile(0.99))
      report("\(name)-first-p50", sum.first.percentile(0.5))
      report("\(name)-first-p99", sum.first.percentile(0.99))
      report("\(name)-hits", Double(sum.hits))
    }
  }

  private static func count(
    _ name: String, _ text: String, _ index: TextIndex, _ environment: Environment, _ asOf: UInt64?
  ) throws(CairnError) -> Int {
    var request = TextIndex.Request(query: Analyzer().analyzeQuery(text), asOf: asOf)
    let name = name.split(separator: ":").first.map(String.init) ?? name
    switch name {
    case "or3": request.mode = .any
    case "phrase": request.mode = .phrase
    default: break
    }
    switch name {
    case "prefix", "pfxand": break
    case "typo": request.prefixLast = false
    default:
      request.exact = true
      request.typoTolerant = false
      request.prefixLast = false
    }
    return try environment.read { (txn) throws(CairnError) in
      try index.search(
        request, in: txn, maximumBonus: 0, bonus: { (_, _) throws(CairnError) in 0 },
        accept: { (_) throws(CairnError) in true }
      ).count
    }
  }
}
