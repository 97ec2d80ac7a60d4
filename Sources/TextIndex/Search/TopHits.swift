/// The best hits so far: by score, then the older document first.
struct TopHits {
  private let limit: Int?
  private var heap: [TextIndex.Hit] = []

  init(limit: Int?) { self.limit = limit }

  /// Whether there is a limit at all.
  var isLimited: Bool { limit != nil }

  /// Whether only better hits than the worst kept one can still enter.
  var isFull: Bool { limit.map { heap.count >= $0 } ?? false }

  /// The documents of all hits.
  var documents: Set<UInt32> { Set(heap.lazy.map(\.document)) }

  /// A hit of a later document needs a greater score than this.
  var threshold: Double {
    guard isFull else { return -.infinity }
    return heap.first?.score ?? .infinity
  }

  /// Adds a hit; drops the worst one when there are too many.
  ///
  /// - Complexity: O(log limit).
  mutating func insert(_ hit: TextIndex.Hit) {
    guard let limit else {
      heap.append(hit)
      return
    }
    guard limit > 0 else { return }
    if heap.count < limit {
      heap.append(hit)
      siftUp(heap.count - 1)
    } else if Self.isBetter(hit, heap[0]) {
      heap[0] = hit
      siftDown()
    }
  }

  /// All hits, best first.
  consuming func sorted() -> [TextIndex.Hit] { heap.sorted(by: Self.isBetter) }

  static func isBetter(_ left: TextIndex.Hit, _ right: TextIndex.Hit) -> Bool {
    left.score != right.score ? left.score > right.score : left.document < right.document
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard Self.isBetter(heap[parent], heap[child]) else { return }
      heap.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var worst = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if Self.isBetter(heap[worst], heap[child]) { worst = child }
      }
      guard worst != parent else { return }
      heap.swapAt(parent, worst)
      parent = worst
    }
  }
}
