import EventLog
import HashTree
import LMDB
import Values

extension Store {
  private static let ruleKeyPrefix = "retention/"
  /// The greatest number that a rule ever had, eight bytes.
  private static let lastRuleKey = "retention-last"

  static func ruleKey(_ number: Int) -> String { ruleKeyPrefix + String(number, digits: 6) }

  /// The rules by which events are kept, with the numbers they go by, ascending.
  ///
  /// Rules do nothing by themselves: see ``planRetention()`` and ``applyRetention(progress:)``.
  /// - Throws: `corrupt` and the like.
  /// - Complexity: O(rules).
  /// - Note: Blocks the calling thread.
  public func retentionRules() throws(CairnError) -> [(number: Int, rule: RetentionRule)] {
    var rules: [(number: Int, rule: RetentionRule)] = []
    for number in try ruleNumbers() {
      guard let row = try log.metadata(Self.ruleKey(number)) else { continue }
      rules.append((number, try RetentionRule(decoding: row)))
    }
    return rules
  }

  private func ruleNumbers() throws(CairnError) -> [Int] {
    try log.metadataKeys().compactMap { key in
      key.hasPrefix(Self.ruleKeyPrefix) ? Int(key.dropFirst(Self.ruleKeyPrefix.count)) : nil
    }.sorted()
  }

  /// A number that no rule ever had; under the writer lock.
  private func newRuleNumber() throws(CairnError) -> Int {
    var last = UInt64(try ruleNumbers().last ?? 0)
    if let row = try log.metadata(Self.lastRuleKey) {
      var reader = ByteReader(row.rawSpan)
      last = max(last, try reader.readBigEndian64())
    }
    try log.setMetadata([UInt8](bigEndian: last + 1), for: Self.lastRuleKey)
    return Int(last + 1)
  }

  /// Adds a rule.
  /// - Parameter rule: Keeps 1 to 1,000,000,000 events or days.
  /// - Returns: The number it goes by, which no other rule had or will have.
  /// - Throws: `badArgument` for another count, an overlong domain and source, what can be no
  ///   domain, the kinds `purge` and `schema`, and a rule of versions with a kind or a source;
  ///   `busy`, `readOnly`.
  /// - Complexity: O(rules), and one commit.
  /// - Note: Blocks the calling thread.
  @discardableResult public func addRetentionRule(_ rule: RetentionRule) throws(CairnError) -> Int {
    try rule.check()
    return try log.withWriterLock(wait: patience) { () throws(CairnError) in
      let number = try newRuleNumber()
      try log.setMetadata(rule.encoded, for: Self.ruleKey(number))
      return number
    }
  }

  private static let appliedKey = "retention-applied"

  /// What a purge notes in the log's metadata: that somebody agreed to what rules take.
  func scopeNotes(_ scope: PurgeScope) -> [String: [UInt8]] {
    guard case .retention(let rules) = scope else { return [:] }
    return [Self.appliedKey: Self.digest(of: rules.ofEvents)]
  }

  /// Whether just these rules were applied before.
  package func retentionWasApplied() throws(CairnError) -> Bool {
    try log.metadata(Self.appliedKey) == Self.digest(of: try eventRules())
  }

  /// What rules of retention, once they were applied, would take again after every import: events
  /// before a time in microseconds since 1970.
  /// - Complexity: O(events) for each rule that keeps the newest so many.
  /// - Throws: `corrupt`, `io`.
  package func outlived() throws(CairnError)
    -> [(domain: String?, kind: EventKind?, source: String?, end: Int64)]
  {
    guard try retentionWasApplied() else { return [] }
    let now = Timestamp.now()
    var ends: [(domain: String?, kind: EventKind?, source: String?, end: Int64)] = []
    for rule in try eventRules() {
      guard let end = try end(of: rule, now) else { continue }
      ends.append((rule.domain, rule.kind, rule.source, end))
    }
    return ends
  }

  private func end(of rule: RetentionRule, _ now: Timestamp) throws(CairnError) -> Int64? {
    guard case .events(let count) = rule.limit else { return rule.oldest(now) }
    guard let generation = try generation() else { return nil }
    return try generation.environment.read { (txn) throws(CairnError) in
      try PurgeSelection.end(of: rule, keeping: count, generation, log, in: txn)
    }
  }

  private static func digest(of rules: [RetentionRule]) -> [UInt8] {
    HashTree.leaf(rules.flatMap { HashTree.leaf($0.encoded).bytes }).bytes
  }

  /// Forgets a rule.
  ///
  /// Its domain is overwritten in the files too, since it may name somebody. While a read of an
  /// earlier commit goes on it stays in free pages, until the next deletion or purge. It does so
  /// where the process is killed on the way, too: ask again, though there is no such rule any more.
  /// - Returns: Whether there was one of that number.
  /// - Throws: `readOnly`; `busy` when another process writes for longer than ``patience``.
  /// - Complexity: O(bytes of the log), since all free pages are looked through.
  /// - Note: Blocks the calling thread.
  public func removeRetentionRule(_ number: Int) throws(CairnError) -> Bool {
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      let isKnown = try log.metadata(Self.ruleKey(number)) != nil
      if isKnown { try log.setMetadata(nil, for: Self.ruleKey(number)) }
      // Where it is not known, who forgot it may have ended before its bytes were overwritten.
      _ = try log.scrub(wait: min(patience, .seconds(1)))
      return isKnown
    }
  }

  package func eventRules() throws(CairnError) -> [RetentionRule] {
    try retentionRules().map(\.rule).ofEvents
  }

  /// What applying the rules would erase now; see ``planVersionRetention()`` for old versions.
  /// - Returns: The plan; nothing is changed.
  /// - Throws: `corrupt` when an event concerned cannot be read.
  /// - Complexity: O(events · rules).
  /// - Note: Blocks the calling thread.
  public func planRetention() throws(CairnError) -> PurgePlan {
    try planPurge(.retention(try eventRules()))
  }

  /// Erases, as a purge, every event that no longer has to be kept; see
  /// ``applyVersionRetention()`` for old versions.
  /// - Parameter progress: As for ``purge(_:blocking:progress:)``.
  /// - Returns: The receipt, or nil when it was stopped.
  /// - Throws: As ``purge(_:blocking:progress:)``.
  /// - Complexity: As ``purge(_:blocking:progress:)``.
  /// - Note: Blocks the calling thread.
  public func applyRetention(progress: (RebuildProgress) -> Bool = { _ in true }) throws(CairnError)
    -> PurgeReceipt?
  { try purge(.retention(try eventRules()), progress: progress) }
}
