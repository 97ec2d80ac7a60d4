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
      try output.line(Self.sum(plan))
      try output.lines(of: plan.kinds)
      let most = plan.domains.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for domain in most.prefix(Self.domainCount) {
        let count = Readable.number(domain.value)
        try output.line("  in \(DisplayText.harmless(domain.key)): \(count)")
      }
      if most.count > Self.domainCount {
        try output.line("  and \(Readable.number(most.count - Self.domainCount)) more domains")
      }
      if plan.vanishingItemCount > 0 {
        let count = Readable.count(plan.vanishingItemCount, "item")
        try output.line(
          "\(count) still used would vanish: what made them goes, later events about them stay")
      }
      for name in plan.snapshotNames {
        try output.line("stays: the snapshot \(DisplayText.harmless(name)); \(Self.forgetting)")
      }
      for name in plan.consumerNames {
        try output.line(
          "stays: the consumer \(DisplayText.harmless(name)) of cairn serve, which names it; "
            + Self.unsubscribing)
      }
      try writeNames(of: plan, "stays", to: &output)
      try writeCopies(of: plan, to: &output)
    }
    try output.flush()
  }

  private static func sum(_ plan: PurgePlan) -> String {
    guard plan.eventCount > 0 else { return nothing }
    let items = Readable.count(plan.itemCount, "item")
    let domains = Readable.count(plan.domainCount, "domain")
    return "would erase \(Readable.count(plan.eventCount, "event")) about \(items) in \(domains), "
      + "\(Readable.count(plan.byteCount, "byte")) of content"
  }

  private func writeCopies(of plan: PurgePlan, to output: inout Output) throws(Failure) {
    for copy in plan.copies {
      try output.line(
        "still holds some of it: \(DisplayText.harmless(copy.directory)), a copy of "
          + "\(Readable.time(copy.created))")
    }
    guard !plan.lostCopies.isEmpty else { return }
    let count = plan.lostCopies.count
    let subject = count == 1 ? "1 copy is" : "\(Readable.number(count)) copies are"
    let paths = plan.lostCopies.prefix(Self.pathCount).map { DisplayText.harmless($0.directory) }
    let more = plan.lostCopies.count > Self.pathCount ? " …" : ""
    try output.line(
      "\(subject) not where made, and may hold some of it elsewhere: "
        + paths.joined(separator: ", ") + more)
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
      try writeCopies(of: receipt.plan, to: &output)
      for name in receipt.unknownFiles {
        try output.line(
          "not looked through: \(DisplayText.harmless(name)) in the store's folder is no file of a "
            + "store; delete it if it is a copy")
      }
    } else {
      try output.line(Self.nothing)
    }
    if !json, !receipt.plan.snapshotNames.isEmpty {
      let count = Readable.count(receipt.plan.snapshotNames.count, "snapshot")
      try output.line("still there: \(count) with that text in its name; \(Self.forgetting)")
    }
    if !json, !receipt.plan.consumerNames.isEmpty {
      let count = Readable.count(receipt.plan.consumerNames.count, "consumer")
      try output.line("still there: \(count) of cairn serve with its name; \(Self.unsubscribing)")
    }
    if !json { try writeNames(of: receipt.plan, "still there", to: &output) }
    try output.flush()
  }

  /// Rules and versions of the schema by their numbers, files by their names: these name nobody.
  private func writeNames(of plan: PurgePlan, _ state: String, to output: inout Output)
    throws(Failure)
  {
    for number in plan.ruleNumbers {
      try output.line(
        "\(state): retention rule \(number), which names it; to delete: "
          + "cairn retention remove \(number)")
    }
    for name in plan.serverFileNames {
      try output.line("\(state): \(name) of cairn serve, which names it; \(Self.changing(name))")
    }
    for version in plan.schemaVersions {
      try output.line(
        "\(state): version \(version) of the schema, which names it: every version is kept")
    }
  }

  /// Domains of a plan that are listed.
  private static let domainCount = 10

  /// Paths of lost copies that are listed.
  private static let pathCount = 10
  private static let nothing = "nothing to purge"
  private static let forgetting = "to delete: cairn snapshot delete NAME"
  private static let unsubscribing = "to delete: DELETE /api/v1/consumers/NAME"
  private static func changing(_ file: String) -> String {
    switch file {
    case "serve.buckets": "to delete: DELETE /api/0/buckets/ID?force=1"
    case "serve.tokens": "to delete: cairn serve token remove NAME"
    case "serve.rules": "to change: PUT /api/v1/rules"
    default: "to delete: DELETE /api/0/settings/KEY"
    }
  }
  private static let pending = "the files from being cleaned: the next command goes on with that"
}
