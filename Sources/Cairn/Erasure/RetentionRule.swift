/// How long events are kept: a rule for a domain, a kind, or both.
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
  /// What is kept.
  public var limit: Limit

  /// Makes a rule.
  public init(domain: String? = nil, kind: EventKind? = nil, keeping limit: Limit) {
    self.domain = domain
    self.kind = kind
    self.limit = limit
  }
}

extension RetentionRule {
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

/// A row of the engine's values: version (1) ‖ unit (1) ‖ count (8) ‖ kind (1, 0 = all) ‖ domain.
extension RetentionRule {
  private static let version: UInt8 = 1
  /// Longest domain in a rule: the row has to hold it.
  static let domainByteCountMax = 1_024
  /// The most days or events that a rule can name.
  static let countMax = 1_000_000_000

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.version)
    writer.append(limit.coded.unit)
    writer.appendBigEndian(UInt64(limit.coded.count))
    writer.append(kind?.rawValue ?? 0)
    if let domain { writer.append(Array(domain.utf8)) }
    return writer.array()
  }

  init(decoding bytes: [UInt8]) throws(CairnError) {
    let damaged = CairnError(
      .unsupportedFormat, "a retention rule cannot be read; a newer program made it",
      place: "log.mdb, table meta")
    var reader = ByteReader(bytes.rawSpan)
    guard try reader.readUInt8() == Self.version else { throw damaged }
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
    let name = bytes.dropFirst(11)
    domain = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
