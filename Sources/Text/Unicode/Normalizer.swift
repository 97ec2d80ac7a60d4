internal import CICU

/// ICU's normal forms over reused buffers of UTF-16.
///
/// The forms are process-wide singletons of ICU, immutable and never freed. Without ICU's data
/// every call gives the text back as it is.
package struct Normalizer {
  private var source: [UInt16] = []
  private var target: [UInt16] = []

  /// Makes one with empty buffers.
  package init() {}

  /// Replaces the scalars by their NFKC_Casefold form.
  ///
  /// Presentation forms of Arabic marks expand to a mark on a tatweel, which is dropped.
  mutating func casefold(_ scalars: inout [UInt32]) {
    unsafe apply(cairn_nfkc_casefold(), &scalars)
    scalars.removeAll { $0 == ScriptTraits.tatweel }
  }

  /// Decomposes and drops the marks that decorate letters.
  mutating func dropMarks(_ scalars: inout [UInt32]) {
    decompose(&scalars)
    scalars.removeAll { ScriptTraits($0).isDroppableMark }
  }

  /// Replaces the scalars by their canonical composition.
  mutating func compose(_ scalars: inout [UInt32]) { unsafe apply(cairn_nfc(), &scalars) }

  /// Replaces the scalars by their canonical decomposition (Unicode §3.11), marks in their order.
  /// - Complexity: O(n).
  package mutating func decompose(_ scalars: inout [UInt32]) { unsafe apply(cairn_nfd(), &scalars) }

  /// Whether nothing before the scalar interacts with it in NFKC_Casefold.
  func hasBoundaryBefore(_ scalar: UInt32) -> Bool {
    guard let casefold = unsafe cairn_nfkc_casefold() else { return true }
    return unsafe cairn_has_boundary_before(casefold, Int32(bitPattern: scalar)) != 0
  }

  /// Whether the scalar is in NFKC_Casefold whatever precedes it, but for the order of marks.
  func isStable(_ scalar: UInt32) -> Bool {
    guard let casefold = unsafe cairn_nfkc_casefold() else { return true }
    return unsafe cairn_is_stable(casefold, Int32(bitPattern: scalar)) != 0
  }

  /// Replaces the scalars by their full case folding (Unicode §3.13).
  /// - Complexity: O(n).
  package mutating func foldCase(_ scalars: inout [UInt32]) {
    // No code point grows by more than 3 units (CaseFolding.txt).
    unsafe convert(&scalars, growth: 3) { source, count, target, capacity in
      unsafe cairn_fold_case(source, count, target, capacity)
    }
  }

  private mutating func apply(_ form: OpaquePointer?, _ scalars: inout [UInt32]) {
    guard let form = unsafe form, scalars.count <= TextLimits.segmentScalarCount else { return }
    // No code point grows by more than 18 units in NFKC (UAX 15, table of expansion factors).
    unsafe convert(&scalars, growth: 18) { source, count, target, capacity in
      unsafe cairn_normalize(form, source, count, target, capacity)
    }
  }

  private mutating func convert(
    _ scalars: inout [UInt32], growth: Int,
    _ call: (UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<UInt16>?, Int32) -> Int32
  ) {
    source.removeAll(keepingCapacity: true)
    for scalar in scalars { source.appendUTF16(scalar) }
    let capacity = source.count * growth + 16
    if target.count < capacity {
      target.append(contentsOf: repeatElement(0, count: capacity - target.count))
    }
    // SAFETY: both pointers are valid for the counts given, for the duration of the call.
    let written = unsafe source.withUnsafeBufferPointer { from in
      unsafe target.withUnsafeMutableBufferPointer { to in
        unsafe call(from.baseAddress, Int32(from.count), to.baseAddress, Int32(to.count))
      }
    }
    guard written >= 0 else { return }
    scalars.removeAll(keepingCapacity: true)
    var index = 0
    while index < written {
      let unit = UInt32(target[index])
      index += 1
      if unit & 0xFC00 == 0xD800, index < written {
        scalars.append(0x10000 + (unit & 0x3FF) << 10 + UInt32(target[index]) & 0x3FF)
        index += 1
      } else {
        scalars.append(unit)
      }
    }
  }
}

extension [UInt16] {
  /// Appends the one or two units of a scalar.
  mutating func appendUTF16(_ scalar: UInt32) {
    if scalar < 0x10000 {
      append(UInt16(truncatingIfNeeded: scalar))
    } else {
      append(UInt16(truncatingIfNeeded: 0xD7C0 + scalar >> 10))
      append(UInt16(truncatingIfNeeded: 0xDC00 | scalar & 0x3FF))
    }
  }
}
