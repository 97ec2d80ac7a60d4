/// Fills short gaps between events: aw-core's `flood`.
enum Flood {
  /// Overlaps below this are taken for inexact clocks, in microseconds.
  private static let tolerance: Int64 = 100_000

  static func fill(_ events: [QueryEvent], _ pulsetime: Int64, _ memory: QueryMemory)
    throws(QueryFailure) -> [QueryEvent]
  {
    var copies = try QueryEvent.copies(of: events, memory)
    copies.sort { ($0.start, $0.duration) < ($1.start, $1.duration) }
    for (event, next) in zip(copies, copies.dropFirst()) { close(event, next, pulsetime) }
    return withoutOverlap(copies)
  }

  private static func close(_ event: QueryEvent, _ next: QueryEvent, _ pulsetime: Int64) {
    let gap = next.start - event.end
    if gap == 0 { return }
    if gap < 0, event.data == next.data {
      let start = min(event.start, next.start)
      let end = max(event.end, next.end)
      event.start = start
      event.duration = end - start
      next.start = end
      next.duration = 0
    } else if gap > -tolerance, gap <= pulsetime {
      let end = next.end
      if event.data != next.data {
        let middle = event.end + halved(gap)
        event.duration = middle - event.start
        next.start = middle
        next.duration = end - middle
      } else if event.duration >= next.duration {
        event.duration = end - event.start
        next.start = end
        next.duration = 0
      } else {
        next.start = event.start
        next.duration = end - next.start
        event.duration = 0
      }
    }
  }

  /// Half, to the nearest even microsecond as Python divides a `timedelta`.
  private static func halved(_ value: Int64) -> Int64 {
    let half = value >> 1
    return value & 1 == 0 || half & 1 == 0 ? half : half + 1
  }

  /// Events one after the other: of two that overlap the later one counts.
  private static func withoutOverlap(_ events: [QueryEvent]) -> [QueryEvent] {
    var result: [QueryEvent] = []
    for event in events where event.duration > 0 {
      var isMerged = false
      while let last = result.last, last.end > event.start {
        if last.data == event.data {
          last.duration = max(last.end, event.end) - last.start
          isMerged = true
          break
        }
        last.duration = event.start - last.start
        if last.duration > 0 { break }
        result.removeLast()
      }
      if !isMerged { result.append(event) }
    }
    return result
  }
}
