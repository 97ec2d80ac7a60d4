import Cairn
import Rows

/// What is said around a purge, besides its plan and its receipt.
struct PurgeAdvice {
  let scope: PurgeScope
  let json: Bool

  /// What a block of this scope refuses; nil where it is the erased events alone.
  private var blocked: String? {
    switch scope {
    case .domain(let name): "events in the domain \(DisplayText.harmless(name))"
    case .item(let name): "events of the item \(DisplayText.harmless(name))"
    default: nil
    }
  }

  /// Where nothing fits: names that nothing has, and the domain that a host stands for.
  func tellOfSlips(_ conditions: PurgeConditions, _ store: Store) throws(Failure) {
    let moment = try answering { () throws(CairnError) in try store.at() }
    try Listing.tellOfUnusedNames(conditions.filter, moment)
    guard let domain = conditions.domain else { return }
    let labels = domain.lowercased().split(separator: ".")
    let other = "web." + labels.reversed().joined(separator: ".")
    guard labels.count > 1, try Self.count(domain, moment) == 0 else { return }
    let count = try Self.count(other, moment)
    guard count > 0 else { return }
    Diagnostics.line(
      "cairn: --domain: pages of \(DisplayText.harmless(domain)) are in another domain, with "
        + "\(Readable.count(count, "item")): cairn purge --domain \(DisplayText.harmless(other))")
  }

  private static func count(_ domain: String, _ moment: Moment) throws(Failure) -> Int {
    try answering { () throws(CairnError) in try moment.itemCount(domain: domain) }
  }

  /// After a purge: what comes back, or what is refused from now on.
  func tellOfLater(erased: Bool, blocks: Bool) throws(Failure) {
    if erased, !blocks {
      try write("an import or a watcher of the same sources brings it back; --block keeps it away")
    } else if blocks, let blocked {
      try write("refused from now on: \(blocked); --unblock lifts that")
    }
  }

  func tellOfUnblocking() throws(Failure) {
    try write("accepted again: \(blocked ?? "the events that were erased with these conditions")")
  }

  private func write(_ line: String) throws(Failure) {
    guard !json else { return }
    var output = Output()
    try output.line(line)
    try output.flush()
  }
}
