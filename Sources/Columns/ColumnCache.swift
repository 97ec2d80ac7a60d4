import Synchronization

/// The columns that were read last, for the queries of a process.
final class ColumnCache: Sendable {
  /// Bytes of columns that are kept.
  static let byteCountMax = 128 << 20

  private struct State {
    var useCount: UInt64 = 0
    var columns: [Int: (data: ColumnData, lastUse: UInt64)] = [:]
  }

  private let state = Mutex(State())

  /// A column as it was at a stamp; nil where it was not kept.
  func column(_ number: Int, stamp: UInt64) -> ColumnData? {
    state.withLock { state in
      guard let known = state.columns[number], known.data.stamp == stamp else { return nil }
      state.useCount += 1
      state.columns[number]?.lastUse = state.useCount
      return known.data
    }
  }

  /// Keeps a column, and drops those that were not used for longest.
  func note(_ column: ColumnData, as number: Int) {
    guard column.byteCount <= Self.byteCountMax else { return }
    state.withLock { state in
      // An older reader must not take away what newer ones use.
      if let known = state.columns[number], known.data.stamp > column.stamp { return }
      state.useCount += 1
      state.columns[number] = (column, state.useCount)
      var total = state.columns.values.reduce(0) { $0 + $1.data.byteCount }
      while total > Self.byteCountMax {
        guard let oldest = state.columns.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
          return
        }
        total -= oldest.value.data.byteCount
        state.columns[oldest.key] = nil
      }
    }
  }
}
