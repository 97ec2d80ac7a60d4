/// From where on the text of a kind counts how many times as much as texts of its kind do.
struct FieldWeight: Hashable, Sendable {
  var kind: UInt8
  /// Position in the kind; the weight holds up to the next one's.
  var start: UInt32
  /// Above 0; before the first one of a kind it is 1.
  var weight: Float
}

/// The weights of the tokens of a document, which come by kind, then position.
struct WeightWalk {
  private let weights: [FieldWeight]
  private var next = 0
  private var kind: UInt8 = 0
  private var weight: Float = 1

  init(_ weights: [FieldWeight]) { self.weights = weights }

  mutating func weight(_ kind: UInt8, _ position: UInt32) -> Float {
    if kind != self.kind { (self.kind, weight) = (kind, 1) }
    while next < weights.count, (weights[next].kind, weights[next].start) <= (kind, position) {
      if weights[next].kind == kind { weight = weights[next].weight }
      next += 1
    }
    return weight
  }
}

/// How often a term stands in one document, where its fields have weights.
struct WeightedOccurrence: Sendable {
  /// The same without weights, of which no more than so many tokens count.
  private(set) var plain = Occurrence()
  /// By kind, the weights of its tokens, and how many they are.
  private var sums = SIMD4<Double>()
  private var counts = SIMD4<Double>()

  mutating func count(_ kind: UInt8, weight: Float) {
    plain.count(Int(kind & 3))
    sums[Int(kind & 3)] += Double(weight)
    counts[Int(kind & 3)] += 1
  }

  /// The weights of the tokens of a kind, as many of them on the average as count without.
  func frequency(_ kind: Int) -> Double {
    let counted = Double(plain.frequency(kind))
    return counted == counts[kind] ? sums[kind] : sums[kind] / counts[kind] * counted
  }
}
