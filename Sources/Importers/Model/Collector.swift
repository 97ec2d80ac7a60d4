package import Values

/// Takes what a format finds in one file: events, malformed records, and what is left out on
/// purpose.
package final class Collector {
  package let options: ImportOptions
  private(set) var count = 0
  /// Why records were left out, and how many.
  package private(set) var skipped: [String: Int] = [:]
  package private(set) var malformedCount = 0
  /// Gives the record that is being read as it came, or no bytes where its reader cannot tell.
  var record: () -> [UInt8] = { [] }

  /// Whether the file is a part of a longer history, which its program exports as well.
  var isShortHistory = false

  private let event: (ImportedEvent) throws(CairnError) -> Void
  private let refused: (RecordPlace, String, [UInt8]) -> Void

  package init(
    options: ImportOptions, malformed: @escaping (RecordPlace, String, [UInt8]) -> Void,
    event: @escaping (ImportedEvent) throws(CairnError) -> Void
  ) {
    self.options = options
    self.event = event
    refused = malformed
  }

  package func add(_ event: ImportedEvent) throws(CairnError) {
    count += 1
    try self.event(event)
  }

  /// Reports a record that claims to be one and is not, as it came.
  package func malformed(_ place: RecordPlace, _ reason: String) {
    malformedCount += 1
    refused(place, reason, record())
  }

  /// The time of a record, microseconds since 1970; reports a record that has none.
  func time(_ microseconds: Int64?, at place: RecordPlace) -> Int64? {
    guard let microseconds, CivilTime.isInRange(microseconds) else {
      malformed(place, "no time")
      return nil
    }
    return microseconds
  }

  /// Counts a record that was understood and is no activity.
  ///
  /// Reasons may be words of the file: beyond a hundred they are counted together.
  package func skip(_ reason: String) {
    let isKnown = skipped[reason] != nil || skipped.count < Self.reasonCountMax
    skipped[isKnown && !reason.isEmpty ? reason : "for other reasons", default: 0] += 1
  }

  private static let reasonCountMax = 100
}
