import Cairn

/// What purges keep out of an import: what the store refuses, and what is told of an item that it
/// refused before without a domain, as git tells which paths a commit changed.
struct RefusedItems {
  /// Nil where nothing is refused.
  private let store: Store?
  private var items: Set<String> = []

  init(in store: Store?) throws(Failure) {
    self.store = try answering(store?.hasBlocks()) == true ? store : nil
  }

  /// Whether an event stays out, in the order of the import.
  mutating func refuses(_ event: EncodedEvent) throws(Failure) -> Bool {
    guard let store else { return false }
    let isRefused = try answering(store.refuses(event))
    guard let layout = try? EventLayout(event.payload), let place = layout.item else {
      return isRefused
    }
    let item = String(decoding: event.payload[place], as: UTF8.self)
    if isRefused {
      items.insert(item)
      return true
    }
    if event.kind != .index, case .absent = layout.domain { return items.contains(item) }
    items.remove(item)
    return false
  }
}
