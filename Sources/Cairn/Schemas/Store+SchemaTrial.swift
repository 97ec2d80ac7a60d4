import EventLog
import LMDB
import Projections

/// Projections beside the store's own: of a schema that is not in force, or of all of the past.
extension Store {
  /// Folds the log by the last version of a history into scratch files, which are deleted.
  /// - Complexity: that of a rebuild.
  func withTrial<R>(
    of history: SchemaHistory, through sequence: UInt64,
    _ body: (Generation) throws(CairnError) -> R
  ) throws(CairnError) -> R {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let files = GenerationFiles(directory: scratch.path)
    let generation = try Generation(
      1, files: files, writer: WriterThread(name: "cairn-trial"), create: true, keepingPast: true)
    defer { generation.environment.close() }
    generation.propose(SchemaLens(history, try log.eventUpcasters()))
    _ = try generation.build(
      log, through: sequence, files: files, memory: Generation.BuildMemory(Store.rebuildMemory))
    return try body(generation)
  }

  /// Folds the log by the schema in force into scratch files, with the old versions that the
  /// store's own projections let go.
  /// - Complexity: that of a rebuild.
  func withPast<R>(
    through sequence: UInt64, _ body: (Generation) throws(CairnError) -> R
  ) throws(CairnError) -> R {
    try withTrial(of: try schemas.history(of: log), through: sequence, body)
  }

  /// What decides about the events of a transaction; nil where all are taken.
  /// - Throws: `.conflict` where events could not be folded for want of an upcaster.
  func admission() throws(CairnError) -> (any EventAdmission)? {
    let upcasters = try log.eventUpcasters()
    try upcasters.require()
    let history = try schemas.history(of: log)
    var rules: SchemaAdmission?
    if !history.isEmpty { rules = SchemaAdmission(history.definition, try generation(), log) }
    guard !upcasters.identity.isEmpty else { return rules }
    return UpcasterAdmission(upcasters, rules)
  }
}
