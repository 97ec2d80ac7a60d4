import Cairn
import Rows

enum RebuildStatusText {
  static func write(_ options: StoreOptions) throws(Failure) {
    let store = try options.openForReading()
    let status = try answering(store.rebuildStatus())
    var output = Output()
    if options.json {
      try output.object { $0.fields(of: status) }
    } else {
      try write(status, to: &output)
    }
    try output.flush()
  }

  private static func write(_ status: RebuildStatus, to output: inout Output) throws(Failure) {
    if let sequence = status.sequence {
      let rate = status.rate.map { ", \(Readable.number(Int($0))) events/s" } ?? ""
      let left = status.secondsLeft.map { ", \(Readable.decimal($0, 0)) s left" } ?? ""
      try output.line("unfinished, at event \(sequence) of \(status.head)\(rate)\(left)")
    } else {
      try output.line("no rebuild is unfinished")
    }
    let table = Table([.right(4), .left(10), .right(14), .right(10)])
    for generation in status.generations {
      try output.line(
        table.row([
          String(generation.number), generation.state.rawValue,
          "event \(generation.sequence)",
          Readable.bytes(generation.byteCount),
        ]))
    }
  }
}
