import CPageGuard

/// Reads that give an error where a damaged page would end the process.
///
/// For programs that go on with the rest; it costs some nanoseconds a row. What writes still ends.
package enum PageGuard {
  /// Guards the reads of all files from now on.
  package static func begin() { cairn_guard_begin() }
}
