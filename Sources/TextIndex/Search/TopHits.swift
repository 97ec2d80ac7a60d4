internal import HeapModule

/// The best hits so far: by score, then the older document first.
struct TopHits {
  /// A hit as the heap orders it: the worse one is less.
  private struct Entry: Comparable {
    let hit: TextIndex.Hit

    static func < (left: Entry, right: Entry) -> Bool { isBetter(right.hit, left.hit) }

    static func == (left: Entry, right: Entry) -> Bool {
      left.hit.score == right.hit.score && left.hit.document == right.hit.document
    }
  }

  let limit: Int?
  /// Where there is a limit.
  private var heap = Heap<Entry>()
  /// Where there is none.
  private var all: [TextIndex.Hit] = []

  init(limit: Int?) { self.limit = limit }

  /// Whether only better hits than the worst kept one can still enter.
  var isFull: Bool { limit.map { heap.count >= $0 } ?? false }

  private var hits: [TextIndex.Hit] { limit == nil ? all : heap.unordered.map(\.hit) }

  var documents: Set<UInt32> { Set(hits.lazy.map(\.document)) }

  /// A hit of a later document needs a greater score than this.
  var threshold: Double {
    guard isFull else { return -.infinity }
    return heap.min?.hit.score ?? .infinity
  }

  /// The document of the worst hit kept: only one before it gets in with its score.
  var worstDocument: UInt32 { heap.min?.hit.document ?? 0 }

  /// Adds a hit; drops the worst one when there are too many.
  /// - Complexity: O(log limit).
  mutating func insert(_ hit: TextIndex.Hit) {
    guard let limit else { return all.append(hit) }
    if heap.count < limit {
      heap.insert(Entry(hit: hit))
    } else if let worst = heap.min, Self.isBetter(hit, worst.hit) {
      heap.replaceMin(with: Entry(hit: hit))
    }
  }

  /// Takes a document's hit out, if it is kept; where there is a limit.
  /// - Complexity: O(limit).
  mutating func remove(_ document: UInt32) {
    heap = Heap(heap.unordered.filter { $0.hit.document != document })
  }

  /// All hits, best first.
  consuming func sorted() -> [TextIndex.Hit] { hits.sorted(by: Self.isBetter) }

  static func isBetter(_ left: TextIndex.Hit, _ right: TextIndex.Hit) -> Bool {
    left.score != right.score ? left.score > right.score : left.document < right.document
  }
}
