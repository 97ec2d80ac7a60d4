import Catalog
import EventLog
import Projections
import Ranking
import TextIndex
import Timeline

extension Store {
  /// The versions of everything that this program writes, by name.
  ///
  /// Logs of older versions are read and appended to; projections of others are folded anew.
  package static let formats: [(name: String, version: Int)] = [
    ("log", Int(EventLog.format)), ("checkpoint", Int(Checkpoint.formatVersion)),
    ("catalog", Int(Catalog.formatVersion)), ("text", Int(TextIndex.formatVersion)),
    ("ranking", Int(Ranking.formatVersion)), ("timeline", Int(Timeline.formatVersion)),
  ]
}
