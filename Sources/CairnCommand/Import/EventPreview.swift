import Cairn
import Importers
import Rows

/// What files of events would bring, counted as their lines are read.
final class EventPreview {
  private let store: Store?
  private var summary = ImportSummary()
  private var files: [ImportRun.File] = []
  private var refusedCount = 0

  /// Beside what a store has, where there is one.
  init(_ store: Store?) { self.store = store }

  /// With what the ids are made that lines lack; of a store that nothing was imported into no id is
  /// known.
  func derivedIDs() throws(Failure) -> DerivedID {
    DerivedID(key: try answering(store?.existingImportKey()) ?? [])
  }

  func schema() throws(Failure) -> SchemaDefinition {
    try answering(store?.schema?.definition ?? .none)
  }

  func begin(_ path: String, _ format: String) {
    files.append(ImportRun.File(path: path, format: format))
  }

  /// Ends a file; so many lines of all were refused.
  func end(refused count: Int) {
    guard let last = files.indices.last else { return }
    files[last].malformed = count - refusedCount
    refusedCount = count
  }

  func add(_ event: EncodedEvent) throws(Failure) {
    let time = (event.time ?? event.recorded ?? .now()).microseconds
    // Lines come in any order: equal ones may stand anywhere.
    try summary.add(event, at: 0, beside: store)
    guard let last = files.indices.last else { return }
    files[last].events += 1
    files[last].first = min(files[last].first ?? time, time)
    files[last].last = max(files[last].last ?? time, time)
  }

  func write(json: Bool) throws(Failure) {
    var output = Output()
    for file in files { try ImportText(json: json).write(file, to: &output) }
    try summary.write(json: json, to: &output)
    try output.flush()
  }
}
