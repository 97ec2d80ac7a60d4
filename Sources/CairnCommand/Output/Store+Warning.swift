import Cairn

extension Store {
  /// Says on standard error that not all events can be searched yet, where that is so.
  func warnOfProjections() {
    guard let failure = projectionFailure else { return }
    Diagnostics.line(
      "cairn: searches and ranks do not know all events that are in the log: \(failure); the next "
        + "write brings them up to date; see: cairn doctor")
  }

  /// Says on standard error that a copy is not known to the store it is of.
  static func warnOfCopy(in directory: String, isNoted: Bool) {
    guard !isNoted else { return }
    Diagnostics.line(
      "cairn: \(DisplayText.harmless(directory)): could not be noted in the store, which takes no "
        + "bytes now: a later purge does not name this copy among what still holds what it erases")
  }
}
