import Cairn

/// What `cairn` alone says on a terminal: how the store stands, and what to do next.
enum StoreState {
  /// Whether there was a store to tell of; without one the help is the answer.
  static func isShown() throws(Failure) -> Bool {
    guard Terminal.outputIsTerminal else { return false }
    let directory = try StoreOptions.directory(nil)
    let store: Store
    do throws(CairnError) { store = try Store.open(at: directory, access: .readOnly) } catch {
      return false
    }
    defer { store.close() }
    let statistics = try answering(store.at().statistics())
    var output = Output()
    try output.line(DisplayText.fit(directory, Terminal.width))
    let last = statistics.recorded.map { ", the last one recorded \(Readable.time($0))" } ?? ""
    try output.line(
      "\(Readable.count(statistics.eventCount, "event")) about "
        + "\(Readable.count(statistics.itemCount, "item"))\(last)")
    try output.line("")
    let next: [(String, String)] =
      statistics.eventCount == 0
      ? [
        ("cairn index ITEM --title TEXT", "put an item in"),
        ("cairn import auto", "take in what browsers and shells noted"),
        ("cairn import git DIR", "take in the history of a checkout"),
      ]
      : [
        ("cairn search TEXT", "find items"), ("cairn top", "what is used most"),
        ("cairn log", "what happened, newest first"),
        ("cairn items --as-of yesterday", "what was there"),
      ]
    for (line, what) in next + [("cairn help", "all commands")] {
      try output.line("  \(DisplayText.pad(line, 32))\(what)")
    }
    try output.flush()
    return true
  }
}
