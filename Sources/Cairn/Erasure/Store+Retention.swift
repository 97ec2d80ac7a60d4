import EventLog
import LMDB

extension Store {
  private static let ruleKeyPrefix = "retention/"

  private static func ruleKey(_ number: Int) -> String {
    let digits = String(number)
    return ruleKeyPrefix + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }

  /// The rules by which events are kept, with the numbers they go by, ascending.
  ///
  /// Rules do nothing by themselves: see ``planRetention()`` and ``applyRetention(progress:)``.
  /// - Throws: `corrupt` and the like.
  public func retentionRules() throws(CairnError) -> [(number: Int, rule: RetentionRule)] {
    try publicly { () throws(StorageError) in
      var rules: [(number: Int, rule: RetentionRule)] = []
      for key in try log.metadataKeys() where key.hasPrefix(Self.ruleKeyPrefix) {
        guard let number = Int(key.dropFirst(Self.ruleKeyPrefix.count)),
          let row = try log.metadata(key)
        else { continue }
        rules.append((number, try RetentionRule(decoding: row)))
      }
      return rules.sorted { $0.number < $1.number }
    }
  }

  /// Adds a rule.
  ///
  /// - Parameter rule: Keeps at least 0 events or days.
  /// - Returns: The number it goes by.
  /// - Throws: `badArgument` for a negative count, an overlong domain, what can be no domain, or the
  ///   kind `purge`; `busy`, `readOnly`.
  @discardableResult public func addRetentionRule(_ rule: RetentionRule) throws(CairnError) -> Int {
    let count =
      switch rule.limit {
      case .days(let count), .events(let count): count
      }
    guard (0...1_000_000_000).contains(count), rule.kind != .purge,
      (rule.domain?.utf8.count ?? 1) <= RetentionRule.domainByteCountMax, rule.domain != ""
    else {
      throw CairnError(
        .badArgument,
        "a rule keeps 0 to 1,000,000,000 days or events, of a domain of at most "
          + "\(RetentionRule.domainByteCountMax) bytes; purge events always stay")
    }
    if let domain = rule.domain { try PurgeScope.check(domain: domain) }
    let number = (try retentionRules().last?.number ?? 0) + 1
    return try publicly { () throws(StorageError) in
      try log.withWriterLock(wait: patience) { () throws(StorageError) in
        try log.setMetadata(rule.encoded, for: Self.ruleKey(number))
      }
      return number
    }
  }

  /// Forgets a rule.
  ///
  /// - Returns: Whether there was one of that number.
  public func removeRetentionRule(_ number: Int) throws(CairnError) -> Bool {
    try publicly { () throws(StorageError) in
      try log.withWriterLock(wait: patience) { () throws(StorageError) in
        guard try log.metadata(Self.ruleKey(number)) != nil else { return false }
        try log.setMetadata(nil, for: Self.ruleKey(number))
        return true
      }
    }
  }

  /// What applying the rules would erase now.
  ///
  /// - Returns: The plan; nothing is changed.
  /// - Throws: `corrupt` when an event concerned cannot be read.
  /// - Complexity: O(events · rules).
  public func planRetention() throws(CairnError) -> PurgePlan {
    try planPurge(.retention(try retentionRules().map(\.rule)))
  }

  /// Erases, as a purge, everything that no longer has to be kept.
  ///
  /// - Parameter progress: As for ``purge(_:blocking:progress:)``.
  /// - Returns: The receipt, or nil when it was stopped.
  /// - Throws: As ``purge(_:blocking:progress:)``.
  public func applyRetention(progress: (RebuildProgress) -> Bool = { _ in true }) throws(CairnError)
    -> PurgeReceipt?
  { try purge(.retention(try retentionRules().map(\.rule)), progress: progress) }
}
