import Cairn

extension Store {
  /// Says on standard error that not all events can be searched yet, where that is so.
  func warnOfProjections() {
    guard let failure = projectionFailure else { return }
    Diagnostics.line(
      "cairn: all events are in the log, but searches and ranks do not know them all: \(failure); "
        + "they will with the next write after that is mended; see: cairn doctor")
  }
}
