import EventLog
import Events
import Projections

/// What activities tell of items that are there already.
extension CatalogFold {
  /// Takes in what a view tells of an item that an app or an earlier activity gave; false where it
  /// changes nothing.
  ///
  /// It covers nothing that is there. Only above a page it shows, and makes a version.
  func tell(
    _ state: inout ItemState, _ event: StoredEvent, _ layout: EventLayout
  ) throws(CairnError) -> Bool {
    guard layout.attributes != nil, try !isRepeated(state, event, layout) else { return false }
    state.content.activity = event.sequence
    guard state.content.page != 0 else { return true }
    state.contentKey = Self.contentKey(event.payload, layout, after: state.contentKey)
    state.versionCount &+= 1
    return true
  }

  /// Whether the last activity told the same.
  private func isRepeated(_ state: ItemState, _ event: StoredEvent, _ layout: EventLayout)
    throws(CairnError) -> Bool
  {
    guard state.content.activity != 0, let range = layout.attributes else { return false }
    if !state.content.hasActivityBelow,
      Self.contentKey(event.payload, layout, after: .none) == state.contentKey
    {
      return true
    }
    // The log has both as they were recorded.
    let now = isShaped ? try recorded(at: event.sequence) : Array(event.payload[range])
    return try recorded(at: state.content.activity) == now
  }

  /// The attributes that an event gave when it was recorded, as a canonical map.
  private func recorded(at sequence: UInt64) throws(CairnError) -> [UInt8]? {
    guard let event = try log.event(at: sequence) else { return nil }
    return try event.layout().attributes.map { Array(event.payload[$0]) }
  }

  /// The hash of what lies above a page that comes.
  func keyAbovePage(of state: ItemState) throws(CairnError) -> NameKey {
    guard state.content.hasOwn else { return .none }
    guard state.content.page == 0, state.content.hasActivityBelow,
      let recorded = try recorded(at: state.content.activity)
    else { return state.contentKey }
    return Self.contentKey(recorded, recorded.indices, after: state.contentKey)
  }

  /// Keeps what the newest version of an item notes without showing it.
  mutating func note(_ state: ItemState, of place: Int) {
    entries[place].state = state
    writeVersion(of: place)
  }

  /// Writes the row of the newest version, anew where it was written before.
  mutating func writeVersion(of place: Int) {
    let start = arena.count
    entries[place].state.encode(into: &arena)
    versionRows.append(
      VersionRow(
        item: entries[place].ordinal, made: entries[place].made, value: start..<arena.count))
  }
}
