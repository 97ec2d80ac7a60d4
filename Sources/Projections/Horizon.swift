import EventLog
package import Events
import LMDB

/// From which events on every version of an item is kept, as a retention rule asked for.
///
/// The log stays whole. A generation keeps each item's version at its horizon and all later ones,
/// so that what is asked of a later point is answered as ever; an earlier point is refused. The
/// horizon is kept with the log and never goes back: a fold is a function of both.
package struct Horizon: Hashable, Sendable {
  /// The first point that is known whole; 0 where every point is.
  package private(set) var sequence: UInt64 = 0
  /// The same for the items of a domain and those below it, by its name.
  package private(set) var domains: KeyOrdered<UInt64> = [:]

  /// Everything is kept.
  package init() {}

  package var keepsAll: Bool { latest == 0 }

  /// The first point at which nothing is missing.
  package var latest: UInt64 { domains.values.reduce(sequence) { max($0, $1) } }

  /// Moves to a later point, for all items or for those of a domain; an earlier one changes
  /// nothing.
  package mutating func advance(to point: UInt64, in domain: String? = nil) {
    if let domain {
      if point > domains[domain] ?? sequence { domains[domain] = point }
    } else {
      sequence = max(sequence, point)
      domains = KeyOrdered(domains.filter { $0.value > sequence }.map { ($0.key, $0.value) })
    }
  }
}

/// Its row: version (1) ‖ point for all (8) ‖ for each domain in byte order its name's length (2),
/// the name and its point (8).
extension Horizon {
  private static let version: UInt8 = 1

  package var encoded: [UInt8] {
    var row = ByteWriter()
    row.append(Self.version)
    row.appendBigEndian(sequence)
    let names = domains.map { (name: Array($0.key.utf8), point: $0.value) }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    for (name, point) in names {
      row.appendBigEndian(UInt16(truncatingIfNeeded: name.count))
      row.append(name)
      row.appendBigEndian(point)
    }
    return row.array()
  }

  /// Reads a row back.
  /// - Throws: `.unsupportedFormat` for another version, `.corrupt` for a damaged one.
  package init(decoding row: [UInt8]) throws(CairnError) {
    var reader = ByteReader(row.rawSpan)
    guard try reader.readUInt8() == Self.version else {
      throw CairnError(
        .unsupportedFormat, "a newer program moved the horizon here; use that one",
        place: EventLog.metadataPlace, remedy: .newerProgram)
    }
    sequence = try reader.readBigEndian64()
    while !reader.isAtEnd {
      let count = Int(try reader.readBigEndian16())
      let name = String(decoding: try reader.readBytes(count).array(), as: UTF8.self)
      domains[name] = try reader.readBigEndian64()
    }
  }
}
