/// What a purge erases.
public enum PurgeScope: Sendable, Hashable {
  /// Everything that belongs to a domain or one below it.
  ///
  /// An event belongs to the domain it names itself, else to its item's at that point.
  case domain(String)
  /// Everything about an item.
  case item(String)
  /// Everything that happened before a time.
  case before(Timestamp)
  /// Every event for which all conditions hold.
  case matching(PurgeCriteria)
  /// Everything that any of the rules does not keep, by the present time; rules of versions take
  /// nothing.
  case retention([RetentionRule])
}

/// What a purge would erase, or erased.
public struct PurgePlan: Sendable, Hashable {
  /// Events that lose their content.
  public var eventCount: Int
  /// Items that these events are about.
  public var itemCount: Int
  /// Domains that these events belong to.
  public var domainCount: Int
  /// Bytes of content in these events.
  public var byteCount: Int
  /// Events by kind.
  public var kinds: [EventKind: Int]
  /// Events by the domain they belong to; events of none are not counted.
  public var domains: KeyOrdered<Int> = [:]
  /// Items that go although later events about them, such as views, stay: those lose what they
  /// are about.
  public var vanishingItemCount = 0
  /// Snapshots in whose names the text stands that is looked for; a purge leaves them.
  public var snapshotNames: [String] = []
  /// Numbers of the retention rules that name the domain that goes, or in whose domain or source
  /// the text stands that is looked for; a purge leaves them.
  public var ruleNumbers: [Int] = []
  /// Versions of the schema that name it so; a purge leaves them.
  public var schemaVersions: [Int] = []
  /// Consumers of a server's feed that filter by the item or the domain that goes, or in which the
  /// text stands that is looked for; a purge leaves them.
  public var consumerNames: [String] = []
  /// Files of a server (buckets of watchers, rules, settings, tokens) in which the text stands that
  /// is looked for, or that know the watcher whose events go; a purge leaves them.
  public var serverFileNames: [String] = []
  /// Backups and copies made of this store that still are where they were made and hold some of
  /// these events.
  public var copies: [KnownCopy] = []
  /// Backups and copies that held some of these events and are not where they were made.
  public var lostCopies: [KnownCopy] = []
  /// Root of the hash tree (RFC 6962) over the leaf hashes of these events in order, 32 bytes.
  ///
  /// Names nothing; who holds the leaf hash of an event (`RecordedEvent.leafHash` before the
  /// purge, ``ErasedEvent/leafHash`` after it) can prove with it that it was among those erased.
  public var digest: Hash32
}

/// What a purge did, without naming what it erased.
public struct PurgeReceipt: Sendable, Hashable {
  /// The purge event's id; nil when there was nothing to erase.
  public var id: EventID?
  /// The purge event's sequence; nil when there was nothing to erase.
  public var sequence: UInt64?
  /// What was erased.
  public var plan: PurgePlan
  /// Files of the store that were looked through for what erasing leaves behind.
  public var scannedFileCount: Int
  /// Bytes in these files that belong to no live row and are not zero.
  public var residueByteCount: Int
  /// Files in the store's directory that are none of the store's, and were not looked through.
  public var unknownFiles: [String] = []
  /// Whether everything is done; else the next process that opens the store goes on.
  public var isComplete: Bool
}

extension PurgeScope {
  /// Throws for what can be no domain, of which there is nothing for that reason, and no rule.
  func check() throws(CairnError) {
    switch self {
    case .domain(let name): try Self.check(domain: name)
    case .matching(let criteria): try criteria.check()
    case .retention(let rules): for rule in rules { try rule.check() }
    case .item, .before: break
    }
  }

  static func check(domain name: String) throws(CairnError) {
    guard let fault = CairnError(domain: name) else { return }
    throw CairnError(.badArgument, fault.message)
  }
}
