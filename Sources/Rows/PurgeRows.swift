package import Cairn

extension JSONLine {
  package mutating func fields(of plan: PurgePlan) {
    field("events", plan.eventCount)
    field("items", plan.itemCount)
    field("domains", plan.domainCount)
    field("bytes", plan.byteCount)
    field("kinds", plan.kinds)
    field("byDomain", json: Self.counts(plan.domains.map { ($0.key, $0.value) }))
    if plan.vanishingItemCount > 0 { field("vanishing", plan.vanishingItemCount) }
    if !plan.snapshotNames.isEmpty { field("snapshots", texts: plan.snapshotNames) }
    if !plan.consumerNames.isEmpty { field("consumers", texts: plan.consumerNames) }
    fields(ofNames: plan)
    fields(ofCopies: plan)
  }

  /// How many events there are of each kind.
  package mutating func field(_ key: StaticString, _ kinds: [EventKind: Int]) {
    object(key) { object in
      for kind in EventKind.allCases {
        if let count = kinds[kind] { object.field(kind.name, count) }
      }
    }
  }

  private mutating func fields(ofNames plan: PurgePlan) {
    if !plan.ruleNumbers.isEmpty { field("rules", json: "\(plan.ruleNumbers)".utf8) }
    if !plan.serverFileNames.isEmpty { field("serverFiles", texts: plan.serverFileNames) }
    if !plan.schemaVersions.isEmpty { field("schemas", json: "\(plan.schemaVersions)".utf8) }
  }

  private mutating func fields(ofCopies plan: PurgePlan) {
    if !plan.copies.isEmpty { field("copies", json: Self.rows(of: plan.copies)) }
    if !plan.lostCopies.isEmpty { field("lostCopies", json: Self.rows(of: plan.lostCopies)) }
  }

  private static func rows(of copies: [KnownCopy]) -> [UInt8] {
    array(copies) { line, copy in
      line.field("directory", copy.directory)
      line.field("created", copy.created.rfc3339)
      line.field("sequence", copy.sequence)
    }
  }

  package mutating func fields(of receipt: PurgeReceipt) {
    field("purge", optional: receipt.id?.uuidString)
    field("sequence", optional: receipt.sequence)
    field("events", receipt.plan.eventCount)
    field("items", receipt.plan.itemCount)
    field("digest", receipt.plan.digest.base64)
    field("filesScanned", receipt.scannedFileCount)
    field("residue", receipt.residueByteCount)
    if !receipt.plan.snapshotNames.isEmpty {
      field("snapshots", receipt.plan.snapshotNames.count)
    }
    if !receipt.plan.consumerNames.isEmpty {
      field("consumers", receipt.plan.consumerNames.count)
    }
    fields(ofNames: receipt.plan)
    fields(ofCopies: receipt.plan)
    if !receipt.unknownFiles.isEmpty { field("unknownFiles", texts: receipt.unknownFiles) }
    field("state", receipt.isComplete ? "complete" : "pending")
  }

  package mutating func fields(of purge: ProvenPurge) {
    field("events", purge.eventCount)
    field("items", purge.itemCount)
    field("digest", purge.digest.base64)
    field("recorded", purge.recorded.rfc3339)
    let ranges = purge.sequences.map { "[\($0.lowerBound),\($0.upperBound)]" }
    field("sequences", json: "[\(ranges.joined(separator: ","))]".utf8)
  }

  package mutating func fields(of rule: RetentionRule, _ number: Int) {
    let (unit, count) = rule.limit.named
    field("rule", number)
    field("domain", optional: rule.domain)
    field("kind", optional: rule.kind?.name.description)
    field("source", optional: rule.source)
    if rule.versionDays != nil { field("versions", true) }
    field(unit, count)
  }

  package mutating func fields(of plan: HorizonPlan) {
    field("days", plan.days)
    field("sequence", plan.sequence)
    field("versions", plan.versionCount)
    field("bytes", plan.byteCount)
  }
}

extension RetentionRule.Limit {
  /// What it counts, and how many of that.
  package var named: (unit: StaticString, count: Int) {
    switch self {
    case .days(let count), .versions(let count): ("days", count)
    case .events(let count): ("events", count)
    }
  }
}
