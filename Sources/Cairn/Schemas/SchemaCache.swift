import EventLog
import Projections
import Synchronization

/// The schemas of a log, read when there are new ones.
final class SchemaCache: Sendable {
  private struct State {
    var sequences: [UInt64] = []
    var history = SchemaHistory()
    /// By the number of versions known.
    var lenses: [Int: SchemaLens?] = [:]
    /// What the lenses bring events up to date with.
    var upcasters = EventUpcasters.none
  }

  private let state = Mutex(State())

  /// All versions, those of other processes included.
  /// - Complexity: about a microsecond; once O(bytes) for each new version.
  /// - Throws: `.corrupt` for a schema event that is none.
  func history(of log: EventLog) throws(CairnError) -> SchemaHistory {
    let sequences = try log.schemaSequences()
    return try state.withLock { (state) throws(CairnError) in
      guard state.sequences != sequences else { return state.history }
      if !sequences.starts(with: state.sequences) { state = State() }
      for sequence in sequences.dropFirst(state.sequences.count) {
        guard let version = try Self.version(at: sequence, of: log), state.history.append(version)
        else { throw Self.damaged(sequence) }
        state.sequences.append(sequence)
      }
      return state.history
    }
  }

  /// What makes events those of the schema in force; nil where they all stay as they are.
  func lens(of log: EventLog) throws(CairnError) -> SchemaLens? {
    lens(of: try history(of: log), try log.eventUpcasters())
  }

  /// What makes events those of the rows of a definition: while another process switches, they may
  /// be of an earlier version.
  func lens(of log: EventLog, definedAs definition: RowDigest) throws(CairnError) -> SchemaLens? {
    let history = try history(of: log)
    let upcasters = try log.eventUpcasters()
    guard !history.isEmpty || !upcasters.identity.isEmpty else { return nil }
    // A version that leaves events as they are has no lens.
    if let maker = maker(of: definition, in: history, upcasters) { return maker.lens }
    return lens(of: history, upcasters)
  }

  /// The version that the rows of a definition were made by, 0 for none; nil where no version makes
  /// such rows.
  func version(of log: EventLog, definedAs definition: RowDigest) throws(CairnError) -> Int? {
    maker(of: definition, in: try history(of: log), try log.eventUpcasters())?.version
  }

  /// The newest version whose rows have a definition.
  private func maker(
    of definition: RowDigest, in history: SchemaHistory, _ upcasters: EventUpcasters
  ) -> (version: Int, lens: SchemaLens?)? {
    for version in (0...history.current).reversed() {
      let lens = lens(
        of: version == history.current ? history : history.cut(to: version), upcasters)
      if Generation.definition(by: lens) == definition { return (version, lens) }
    }
    return nil
  }

  private func lens(of history: SchemaHistory, _ upcasters: EventUpcasters) -> SchemaLens? {
    state.withLock { state in
      if state.upcasters.identity != upcasters.identity {
        state.lenses = [:]
        state.upcasters = upcasters
      }
      if let known = state.lenses[history.current] { return known }
      let lens = SchemaLens(history, upcasters)
      state.lenses[history.current] = .some(lens)
      return lens
    }
  }

  private static func version(at sequence: UInt64, of log: EventLog) throws(CairnError)
    -> SchemaVersion?
  {
    guard let stored = try log.event(at: sequence), stored.kind == .schema else { return nil }
    let event: Event
    do throws(CairnError) {
      event = try Event.decoded(stored.payload, try EventLayout(stored.payload), kind: stored.kind)
    } catch { throw damaged(sequence) }
    guard let number = event.schemaNumber("version"), let parent = event.schemaNumber("parent"),
      let document = event.extras["definition"]
    else { return nil }
    let definition: SchemaDefinition
    do throws(SchemaFault) { definition = try SchemaDefinition(recorded: document) } catch {
      return nil
    }
    return SchemaVersion(
      version: number, sequence: sequence, recorded: stored.recorded, parent: parent,
      reverts: event.schemaNumber("reverts"), definition: definition)
  }

  private static func damaged(_ sequence: UInt64) -> CairnError {
    CairnError(
      .corrupt, "event \(sequence) is no schema that follows on those before it",
      place: "log.mdb", remedy: .verify)
  }
}

extension Event {
  /// A number that a schema event gives; nil where it gives none.
  func schemaNumber(_ key: String) -> Int? { extras[key]?.number() }
}
