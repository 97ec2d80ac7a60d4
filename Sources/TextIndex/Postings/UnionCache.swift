internal import LMDB
internal import Synchronization

/// The lists of unfinished words that were asked for last, shared by the queries of a process.
final class UnionCache: Sendable {
  private struct State {
    var epoch: UInt64 = 0
    var stamp: UInt64 = 0
    var byteCount = 0
    var useCount: UInt64 = 0
    var entries: [UnionName: (list: TermUnion, lastUse: UInt64)] = [:]
    /// How often a name was asked for without a list of it.
    var askings: [UnionName: Int] = [:]
  }

  private let state = Mutex(State())
  /// Postings from which on a selection is worth it.
  let selectionPostingCount: UInt64

  init(selectionPostingCount: UInt64 = IndexLimits.selectionPostingCount) {
    self.selectionPostingCount = selectionPostingCount
  }

  /// The list of a name, as far as it is merged.
  ///
  /// Where a document must have a group too, only what its documents have, unless that is hardly
  /// less or the name was asked for again and again since its list had to go.
  func completions(
    of name: UnionName, within group: TermGroup?, _ index: IndexState,
    _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> TermUnion {
    let (known, askingCount) = state.withLock { state -> (TermUnion?, Int) in
      if state.epoch != index.epoch || state.stamp != index.stamp {
        state = State(epoch: index.epoch, stamp: index.stamp)
      }
      if let found = state.entries[name] {
        state.useCount += 1
        state.entries[name]?.lastUse = state.useCount
        return (found.list, 0)
      }
      if state.askings.count > IndexLimits.unionNameCount { state.askings.removeAll() }
      state.askings[name, default: 0] += 1
      return (nil, state.askings[name] ?? 1)
    }
    if let known { return known }
    let isSelected = askingCount <= IndexLimits.selectionCount
    let made = try TermUnion(
      of: name, within: isSelected ? group : nil, postingCountMin: selectionPostingCount, index,
      txn, tables)
    if made.isSelected { return made }
    state.withLock { state in
      guard state.epoch == index.epoch, state.stamp == index.stamp else { return }
      guard made.byteCount <= IndexLimits.unionByteCount else { return }
      while state.byteCount + made.byteCount > IndexLimits.unionByteCount {
        guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
          break
        }
        state.byteCount -= oldest.value.list.byteCount
        state.entries[oldest.key] = nil
        // Or common ones would drive each other out for ever.
        state.askings[oldest.key] = nil
      }
      state.useCount += 1
      guard state.entries.updateValue((made, state.useCount), forKey: name) == nil else { return }
      state.byteCount += made.byteCount
    }
    return made
  }
}
