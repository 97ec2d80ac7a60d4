package import Values

/// Takes what a format finds in one file: events, malformed records, and what is left out on
/// purpose.
package final class Collector {
  package let options: ImportOptions
  /// Why records were left out, and how many.
  package private(set) var skipped: [String: Int] = [:]
  /// How many records were refused.
  package private(set) var malformedCount = 0

  private let event: (ImportedEvent) throws(CairnError) -> Void
  private let refused: (RecordPlace, String, [UInt8]) -> Void
  private var occurrences: [UInt64: Int] = [:]

  package init(
    options: ImportOptions, malformed: @escaping (RecordPlace, String, [UInt8]) -> Void,
    event: @escaping (ImportedEvent) throws(CairnError) -> Void
  ) {
    self.options = options
    self.event = event
    refused = malformed
  }

  /// Takes an event.
  package func add(_ event: ImportedEvent) throws(CairnError) { try self.event(event) }

  /// Reports a record that claims to be one and is not, with its bytes where they are lines.
  package func malformed(_ place: RecordPlace, _ reason: String, raw: [UInt8] = []) {
    malformedCount += 1
    refused(place, reason, raw)
  }

  /// Counts a record that was understood and is no activity.
  package func skip(_ reason: String) { skipped[reason, default: 0] += 1 }

  /// How often a record with these parts came before in this file.
  ///
  /// Held as 64-bit hashes: 16 bytes for each different record of a file.
  package func occurrence(of parts: Identity) -> Int {
    var hasher = Hasher()
    hasher.combine(parts.bytes)
    let key = UInt64(bitPattern: Int64(hasher.finalize()))
    let count = occurrences[key, default: 0]
    occurrences[key] = count + 1
    return count
  }
}
