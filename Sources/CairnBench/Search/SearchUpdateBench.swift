import Cairn
import Glibc

/// Updates of a store that holds a corpus, each acknowledged, durable and found.
struct SearchUpdateBench {
  let directory: String

  func fill(_ corpus: SearchCorpus) throws {
    let store = try Store.open(at: directory)
    defer { store.close() }
    guard try store.at().sequence == 0 else { return }
    for first in stride(from: 0, to: corpus.lines.count, by: 65_536) {
      let last = min(first + 65_536, corpus.lines.count)
      try store.appendBlocking((first..<last).map { Self.event($0, $0, corpus, extra: "") })
    }
  }

  private static func event(_ item: Int, _ line: Int, _ corpus: SearchCorpus, extra: String)
    -> Event
  {
    let fields = corpus.lines[line]
    return Event(
      kind: .index, item: "document-\(item)", domain: .value("bench.search"),
      attributes: [
        "title": .string(corpus.text(fields[0])),
        "textContent": .string(corpus.text(fields[1]) + extra),
        "keywords": .array([.string(corpus.text(fields[2]))]),
      ])
  }

  /// Replaces texts one by one; each is searched for as soon as it is acknowledged.
  func run(_ path: String, count: Int) throws {
    let corpus = SearchCorpus(path: path)
    try fill(corpus)
    let store = try Store.open(at: directory)
    defer { store.close() }
    let run = try store.at().sequence
    var visible = Samples()
    var random = run
    let written = Self.writtenBytes
    for number in 0..<count {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let item = Int(random >> 33) % corpus.lines.count
      let line = Int(random >> 17) % corpus.lines.count
      let mark = "zq\(run)x\(number)z"
      let event = Self.event(item, line, corpus, extra: " " + mark)
      var request = SearchRequest(mark)
      request.isExact = true
      var found = 0
      try visible.time {
        try store.appendBlocking(event)
        found = try store.at().search(request).count
      }
      precondition(found == 1, "an acknowledged update is not found")
    }
    report("update-p50", visible.percentile(0.5))
    report("update-p99", visible.percentile(0.99))
    report("update-max", visible.percentile(1))
    report("update-bytes", Double(Self.writtenBytes - written) / Double(count))
  }

  /// Bytes this process gave to the system to write.
  private static var writtenBytes: Int {
    // SAFETY: the path is a NUL-ended copy for the time of the call.
    let file = unsafe open("/proc/self/io", O_RDONLY | O_CLOEXEC)
    var bytes = [UInt8](repeating: 0, count: 1_024)
    // SAFETY: reads at most what the array holds.
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    close(file)
    let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("wchar: ") {
      return Int(line.dropFirst(7)) ?? 0
    }
    return 0
  }
}
