import EventLog

/// How long events are kept: a rule for a domain, a kind, a source, or several of these.
public struct RetentionRule: Sendable, Hashable {
  /// What is kept.
  public enum Limit: Sendable, Hashable {
    /// Events that happened within so many days of 24 hours.
    case days(Int)
    /// The newest so many events, by the time they happened.
    case events(Int)
    /// Every version of every item of the last so many days of 24 hours; no event goes, but points
    /// before cannot be asked of any more.
    case versions(days: Int)
  }

  /// Only events of this domain and below it; nil for all.
  public var domain: String?
  /// Only events of this kind; nil for all.
  public var kind: EventKind?
  /// Only events that this app or importer told; nil for all.
  public var source: String?
  /// What is kept.
  public var limit: Limit

  /// Makes a rule.
  public init(
    domain: String? = nil, kind: EventKind? = nil, source: String? = nil, keeping limit: Limit
  ) {
    self.domain = domain
    self.kind = kind
    self.source = source
    self.limit = limit
  }
}

extension RetentionRule {
  /// Equal when both keep the same, by the bytes of the names.
  public static func == (one: Self, other: Self) -> Bool {
    one.domain.hasBytes(of: other.domain) && one.kind == other.kind
      && one.source.hasBytes(of: other.source) && one.limit == other.limit
  }

  /// The days whose versions are kept; nil for a rule that events go by.
  public var versionDays: Int? { if case .versions(let days) = limit { days } else { nil } }

  /// Before which time events are too old to be kept, in microseconds since 1970; nil for a rule
  /// that does not go by age.
  package func oldest(_ now: Timestamp) -> Int64? {
    guard case .days(let days) = limit else { return nil }
    let (length, isTooLong) = Int64(days).multipliedReportingOverflow(by: 86_400_000_000)
    return isTooLong ? .min : now.microseconds - length
  }
}

extension RetentionRule {
  /// Throws for what is no rule; see ``Store/addRetentionRule(_:)``.
  func check() throws(CairnError) {
    guard versionDays == nil || (kind == nil && source == nil) else {
      throw CairnError(
        .badArgument,
        "versions are kept of all kinds and sources of events; leave kind and source out")
    }
    guard (1...Self.countMax).contains(limit.coded.count), kind?.isPermanent != true,
      domain != "", source != "",
      (domain ?? "").utf8.count + (source ?? "").utf8.count <= Self.nameByteCountMax
    else {
      throw CairnError(
        .badArgument,
        "a rule keeps 1 to 1,000,000,000 days or events, of a domain and a source "
          + "of at most \(Self.nameByteCountMax) bytes together; purge events always stay")
    }
    if let domain { try PurgeScope.check(domain: domain) }
  }
}

extension [RetentionRule] {
  /// Those that take events; rules of versions let go of what items were, and of no event.
  var ofEvents: [RetentionRule] { filter { $0.versionDays == nil } }
}

extension RetentionRule.Limit {
  /// Its unit as it is stored, and how many of these.
  var coded: (unit: UInt8, count: Int) {
    switch self {
    case .days(let count): (1, count)
    case .events(let count): (2, count)
    case .versions(let days): (3, days)
    }
  }
}

/// A row of the engine's values: version (1) ‖ unit (1) ‖ count (8) ‖ kind (1, 0 = all) ‖ domain;
/// in version 2 the length of the domain (2) stands before it, and the source follows.
extension RetentionRule {
  /// Longest domain and source in a rule together: the row has to hold them.
  static let nameByteCountMax = 1_024
  /// The most days or events that a rule can name.
  static let countMax = 1_000_000_000

  var encoded: [UInt8] {
    var writer = ByteWriter()
    // Earlier programs read a rule that names no source.
    writer.append(source == nil ? 1 : 2)
    writer.append(limit.coded.unit)
    writer.appendBigEndian(UInt64(limit.coded.count))
    writer.append(kind?.rawValue ?? 0)
    let domain = Array((domain ?? "").utf8)
    if source != nil { writer.appendBigEndian(UInt16(domain.count)) }
    writer.append(domain)
    writer.append(Array((source ?? "").utf8))
    return writer.array()
  }

  init(decoding bytes: [UInt8]) throws(CairnError) {
    let damaged = CairnError(
      .unsupportedFormat, "a retention rule cannot be read; a newer program made it",
      place: EventLog.metadataPlace)
    var reader = ByteReader(bytes.rawSpan)
    let version = try reader.readUInt8()
    guard version == 1 || version == 2 else { throw damaged }
    let unit = try reader.readUInt8()
    guard let count = Int(exactly: try reader.readBigEndian64()) else { throw damaged }
    switch unit {
    case 1: limit = .days(count)
    case 2: limit = .events(count)
    case 3: limit = .versions(days: count)
    default: throw damaged
    }
    let kind = try reader.readUInt8()
    self.kind = EventKind(rawValue: kind)
    guard kind == 0 || self.kind != nil else { throw damaged }
    let isOfSource = version == 2
    let length = isOfSource ? Int(try reader.readBigEndian16()) : reader.remaining
    guard length <= reader.remaining else { throw damaged }
    let names = bytes[reader.offset...]
    domain = length == 0 ? nil : String(decoding: names.prefix(length), as: UTF8.self)
    source = isOfSource ? String(decoding: names.dropFirst(length), as: UTF8.self) : nil
  }
}
