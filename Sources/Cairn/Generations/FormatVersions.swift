import EventLog
import Projections

extension Store {
  /// The versions of everything that this program writes, by name.
  ///
  /// Logs of older versions are read and appended to; projections of others are folded anew.
  package static let formats: [(name: String, version: Int)] =
    [("log", Int(EventLog.format)), ("checkpoint", Int(Checkpoint.formatVersion))]
    + Generation.projections.map { ($0.name.text, Int($0.formatVersion)) }
}
