import Cairn

extension Store {
  /// Says on standard error that the newest events cannot be searched yet, where that is so.
  func warnOfProjections() {
    guard let failure = projectionFailure else { return }
    Diagnostics.line(
      "cairn: the newest events are in the log, but not yet in searches and ranks: \(failure); "
        + "they follow with the next write after that is mended; see: cairn doctor")
  }
}
