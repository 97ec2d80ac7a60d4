import EventLog
import HashTree

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
  /// Whether the list has a digest over all of it; older lists have none.
  var isSealed = true

  private static let name = "cairn-purges"
  private static let version = 1
}

extension PurgeList {
  /// SHA-256 of a zero byte, the size (8), and every sequence (8) and hash (32), big-endian.
  private var digest: Hash32 {
    var writer = ByteWriter()
    writer.appendBigEndian(size)
    for entry in entries {
      writer.appendBigEndian(entry.sequence)
      writer.append(entry.leafHash.bytes)
    }
    return HashTree.leaf(writer.array())
  }

  /// The list as lines of JSON: a head, then an entry each.
  public var encoded: String {
    var text = "{\"\(Self.name)\":\(Self.version),\"size\":\(size),\"entries\":\(entries.count),"
    text += "\"digest\":\"\(digest.base64)\"}\n"
    for entry in entries {
      text += "{\"sequence\":\(entry.sequence),\"hash\":\"\(entry.leafHash.base64)\"}\n"
    }
    return text
  }

  /// Reads what ``encoded`` gives.
  /// - Throws: `malformed` naming the line that is none of a list's, when lines are missing, and
  ///   when anything is not as it was written.
  public init(_ text: String) throws(CairnError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst(), let head = JSONObject(json: first.utf8),
      head[Self.name]?.number() == UInt64(Self.version), let size: UInt64 = head["size"]?.number(),
      let count: UInt64 = head["entries"]?.number()
    else { throw CairnError(.malformed, "no list of purges: line 1 is not the head of one") }
    var entries: [Entry] = []
    for (index, line) in lines.enumerated() {
      guard let object = JSONObject(json: line.utf8),
        let sequence: UInt64 = object["sequence"]?.number(),
        let hash = object["hash"]?.string.flatMap({ Hash32(base64: $0) }),
        (1...max(1, size)).contains(sequence),
        sequence > entries.last?.sequence ?? 0
      else { throw CairnError(.malformed, "a list of purges is damaged in line \(index + 2)") }
      entries.append(Entry(sequence: sequence, leafHash: hash))
    }
    guard UInt64(entries.count) == count else {
      throw CairnError(.malformed, "a list of purges has \(entries.count) entries and not \(count)")
    }
    self.init(size: size, entries: entries, isSealed: head["digest"] != nil)
    guard let claimed = head["digest"] else { return }
    guard let text = claimed.string, Hash32(base64: text) == digest else {
      throw CairnError(
        .malformed, "a list of purges was changed since it was written; export it again")
    }
  }
}

extension Store {
  /// What was purged so far, for copies and backups made before.
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

  /// What to purge here so that nothing is left of what a list says was purged elsewhere.
  ///
  /// Entries of events that this copy does not have, since it was made before or went its own way
  /// since, concern nothing here.
  /// - Returns: A scope for ``planPurge(_:)`` and ``purge(_:blocking:progress:)``.
  /// - Throws: `notVerified` when the list is of another history; `malformed`, naming the line,
  ///   when it names an event by another hash than it has here, so that nothing is erased by half.
  /// - Complexity: O(entries × log events).
  /// - Note: Blocks the calling thread.
  public func scope(of list: PurgeList) throws(CairnError) -> PurgeScope {
    var criteria = PurgeCriteria()
    criteria.sequences = SequenceRanges.of(try list.live(in: log))
    return .matching(criteria)
  }
}

extension PurgeList {
  /// What a log has of the entries.
  private struct Matches {
    /// Events that are not erased there yet.
    var live: [UInt64] = []
    /// Entries whose event is there, erased or not.
    var count = 0
    var lastSequence: UInt64 = 0
    /// Entries in whose place another event is, with their lines in the list.
    var strangers: [(line: Int, sequence: UInt64)] = []
  }

  /// The events that a log still has of those that were purged.
  /// - Throws: As ``Store/scope(of:)``.
  func live(in log: EventLog) throws(CairnError) -> [UInt64] {
    let found = try matches(in: log)
    guard found.count > 0 || found.strangers.isEmpty else {
      throw CairnError(
        .notVerified, "the list of purges is of another history; name the one of this store")
    }
    // A copy that went its own way differs from there on: what fits again after that is no chance.
    let isOwnWay = isSealed && found.strangers.allSatisfy { $0.sequence > found.lastSequence }
    if let stranger = found.strangers.first, !isOwnWay { throw Self.altered(stranger) }
    return found.live
  }

  private static func altered(_ stranger: (line: Int, sequence: UInt64)) -> CairnError {
    CairnError(
      .malformed,
      "line \(stranger.line) of the list of purges has another hash than event \(stranger.sequence) "
        + "has here, so the list was changed; export it again (nothing was purged)")
  }

  private func matches(in log: EventLog) throws(CairnError) -> Matches {
    var matches = Matches()
    let last = try log.head().sequence
    for (index, entry) in entries.enumerated() where entry.sequence <= last {
      let event = try log.event(at: entry.sequence)
      let stub = event == nil ? try log.stub(at: entry.sequence) : nil
      guard event?.leafHash ?? stub?.leafHash == entry.leafHash else {
        matches.strangers.append((index + 2, entry.sequence))
        continue
      }
      matches.count += 1
      matches.lastSequence = entry.sequence
      if event != nil { matches.live.append(entry.sequence) }
    }
    return matches
  }
}
