/// Makes characters that count as equal the same scalars, with ICU's data, over reused buffers.
///
/// Case folding is that of Unicode §3.13 (D145, canonical caseless matching) where the caller
/// decomposes first, folds the case, and decomposes again.
package struct CanonicalFolding {
  private var normalizer = Normalizer()

  /// Makes one with empty buffers.
  package init() {}

  /// Replaces the scalars by their canonical decomposition (Unicode §3.11), marks in their order.
  /// - Complexity: O(n).
  package mutating func decompose(_ scalars: inout [UInt32]) { normalizer.decompose(&scalars) }

  /// Replaces the scalars by their full case folding, decomposed again.
  /// - Complexity: O(n).
  package mutating func foldCase(_ scalars: inout [UInt32]) {
    normalizer.foldCase(&scalars)
    decompose(&scalars)
  }
}
