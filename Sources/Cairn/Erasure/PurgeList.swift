import EventLog
import Events
import HashTree
import LMDB

/// What a store has purged, for copies of it: sequences and salted hashes, which name nothing.
///
/// A hash is that of the event's leaf, which nobody can tell from a guessed content, since its salt
/// is erased; a copy that holds the event has the same leaf, and so knows which one is meant.
public struct PurgeList: Sendable, Hashable {
  /// An erased event.
  public struct Entry: Sendable, Hashable {
    /// Its sequence.
    public var sequence: UInt64
    /// The hash of its leaf.
    public var leafHash: Hash32
  }

  /// Events in the store when the list was made.
  public var size: UInt64
  /// The erased ones, by sequence.
  public var entries: [Entry]

  private static let name = "cairn-purges"
  private static let version = 1

  init(size: UInt64, entries: [Entry]) {
    self.size = size
    self.entries = entries
  }

  /// The list as lines of JSON: a head, then an entry each.
  public var encoded: String {
    var text = "{\"\(Self.name)\":\(Self.version),\"size\":\(size),\"entries\":\(entries.count)}\n"
    for entry in entries {
      text += "{\"sequence\":\(entry.sequence),\"hash\":\"\(entry.leafHash.base64)\"}\n"
    }
    return text
  }

  /// Reads what ``encoded`` gives.
  ///
  /// - Throws: `malformed` naming the line that is none of a list's, or when lines are missing.
  public init(_ text: String) throws(CairnError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst(), let head = Self.object(first),
      Self.number(head[Self.name]) == UInt64(Self.version), let size = Self.number(head["size"]),
      let count = Self.number(head["entries"])
    else { throw CairnError(.malformed, "no list of purges: line 1 is not the head of one") }
    var entries: [Entry] = []
    for (index, line) in lines.enumerated() {
      guard let object = Self.object(line), let sequence = Self.number(object["sequence"]),
        case .string(let text)? = object["hash"], let hash = Hash32(base64: text),
        (1...max(1, size)).contains(sequence),
        sequence > entries.last?.sequence ?? 0
      else { throw CairnError(.malformed, "a list of purges is damaged in line \(index + 2)") }
      entries.append(Entry(sequence: sequence, leafHash: hash))
    }
    guard UInt64(entries.count) == count else {
      throw CairnError(.malformed, "a list of purges has \(entries.count) entries and not \(count)")
    }
    self.init(size: size, entries: entries)
  }

  private static func object(_ line: Substring) -> JSONObject? {
    // A line that is no JSON is refused by the caller, who knows its number.
    guard case .object(let object)? = try? JSONValue(parsing: Array(line.utf8).span) else {
      return nil
    }
    return object
  }

  private static func number(_ value: JSONValue?) -> UInt64? {
    guard case .number(let digits)? = value else { return nil }
    return UInt64(digits)
  }
}

extension Store {
  /// What was purged so far, for copies and backups made before.
  ///
  /// - Throws: `corrupt` and the like.
  /// - Complexity: O(events).
  /// - Note: Blocks the calling thread.
  public func purgeList() throws(CairnError) -> PurgeList {
    var entries: [PurgeList.Entry] = []
    let size = try log.head().sequence
    try log.forEachStub(through: size) { (stub) throws(CairnError) in
      entries.append(PurgeList.Entry(sequence: stub.sequence, leafHash: stub.leafHash))
    }
    return PurgeList(size: size, entries: entries)
  }
}

extension Store {
  /// What to purge here so that nothing is left of what a list says was purged elsewhere.
  ///
  /// Entries of events that this copy does not have, since it was made before or went its own way
  /// since, concern nothing here.
  /// - Returns: A scope for ``planPurge(_:)`` and ``purge(_:blocking:progress:)``.
  /// - Throws: `notVerified` when the list is of another history.
  /// - Complexity: O(entries × log events).
  /// - Note: Blocks the calling thread.
  public func scope(of list: PurgeList) throws(CairnError) -> PurgeScope {
    let found = try list.matches(in: log)
    guard found.count > 0 || found.strangers == 0 else { throw PurgeList.otherHistory }
    var criteria = PurgeCriteria()
    criteria.sequences = SequenceRanges.of(found.live)
    return .matching(criteria)
  }
}

extension PurgeList {
  /// What a log has of the entries.
  struct Matches {
    /// Events that are not erased there yet.
    var live: [UInt64] = []
    /// Entries whose event is there, erased or not.
    var count = 0
    /// Entries in whose place another event is.
    var strangers = 0
  }

  static let otherHistory = CairnError(
    .notVerified, "the list of purges is of another history; name the one of this store")

  func matches(in log: EventLog) throws(CairnError) -> Matches {
    var matches = Matches()
    let last = try log.head().sequence
    for entry in entries where entry.sequence <= last {
      let event = try log.event(at: entry.sequence)
      let stub = event == nil ? try log.stub(at: entry.sequence) : nil
      guard event?.leafHash ?? stub?.leafHash == entry.leafHash else {
        matches.strangers += 1
        continue
      }
      matches.count += 1
      if event != nil { matches.live.append(entry.sequence) }
    }
    return matches
  }
}
