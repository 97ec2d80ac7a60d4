import Cairn
import Rows

/// Plans and receipts of purges, for programs or for people.
struct PurgeText {
  let json: Bool

  func write(_ plan: PurgePlan) throws(Failure) {
    var output = Output()
    if json {
      try output.object { $0.fields(of: plan) }
    } else {
      try output.line(
        "would erase \(Readable.count(plan.eventCount, "event")) about "
          + "\(Readable.count(plan.itemCount, "item")) in \(Readable.count(plan.domainCount, "domain")), "
          + "\(Readable.count(plan.byteCount, "byte")) of content")
      for kind in EventKind.allCases {
        guard let count = plan.kinds[kind] else { continue }
        try output.line("  \(kind.name): \(Readable.number(count))")
      }
      let most = plan.domains.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for (name, count) in most.prefix(Self.domainCount) {
        try output.line("  in \(DisplayText.harmless(name)): \(Readable.number(count))")
      }
      if most.count > Self.domainCount {
        try output.line("  and \(Readable.number(most.count - Self.domainCount)) more domains")
      }
      for copy in plan.copies {
        try output.line(
          "still holds some of it: \(DisplayText.harmless(copy.directory)), a copy of "
            + "\(Readable.time(copy.created))")
      }
    }
    try output.flush()
  }

  func write(_ receipt: PurgeReceipt) throws(Failure) {
    var output = Output()
    if json {
      try output.object { $0.fields(of: receipt) }
    } else if let sequence = receipt.sequence {
      try output.line(
        "erased \(Readable.count(receipt.plan.eventCount, "event")) about "
          + "\(Readable.count(receipt.plan.itemCount, "item")); recorded as event \(sequence)")
      try output.line(
        receipt.isComplete
          ? "looked through \(Readable.count(receipt.scannedFileCount, "file")) of the store: "
            + "nothing is left; backups and exports made before still hold it"
          : "unreadable from now on; a read that is still going on keeps \(Self.pending)")
      for name in receipt.unknownFiles {
        try output.line(
          "not looked through: \(DisplayText.harmless(name)) in the store's folder is no file of a "
            + "store; delete it if it is a copy")
      }
    } else {
      try output.line("nothing to purge")
    }
    try output.flush()
  }

  /// Domains of a plan that are listed.
  private static let domainCount = 10

  private static let pending = "the files from being cleaned: the next command goes on with that"
}
