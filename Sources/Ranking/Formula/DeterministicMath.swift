/// Powers and logarithms of two that give the same bits on every machine.
///
/// The C library's `exp2` and `log2` differ between versions and platforms; a projection must
/// not. Both functions here use only IEEE 754 additions, multiplications and divisions in a
/// fixed order. Relative error ≤ 4·10⁻¹⁶ for `power`, absolute error ≤ 1·10⁻¹⁵ for `logarithm`.
package enum DeterministicMath {
  private static let naturalLogarithmOfTwo = 0.693_147_180_559_945_3

  /// 2 to the power `exponent`; 0 below −1100, the greatest finite number above 1023.
  /// - Complexity: O(1), about 15 multiplications.
  package static func power(_ exponent: Double) -> Double {
    guard exponent > -1_100 else { return 0 }
    guard exponent < 1_023 else { return .greatestFiniteMagnitude }
    let whole = exponent.rounded(.toNearestOrEven)
    let x = (exponent - whole) * naturalLogarithmOfTwo
    // Taylor series of e^x for |x| ≤ 0.347: the first omitted term is below 2·10⁻¹⁷.
    var sum = 1.0 / 6_227_020_800
    sum = sum * x + 1.0 / 479_001_600
    sum = sum * x + 1.0 / 39_916_800
    sum = sum * x + 1.0 / 3_628_800
    sum = sum * x + 1.0 / 362_880
    sum = sum * x + 1.0 / 40_320
    sum = sum * x + 1.0 / 5_040
    sum = sum * x + 1.0 / 720
    sum = sum * x + 1.0 / 120
    sum = sum * x + 1.0 / 24
    sum = sum * x + 1.0 / 6
    sum = sum * x + 0.5
    sum = sum * x + 1
    sum = sum * x + 1
    // Two steps, so that results below the normal range round once.
    let power = Int(whole)
    let half = power / 2
    return sum * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: power - half, significand: 1)
  }

  /// The logarithm to base two of a positive finite number.
  /// - Complexity: O(1).
  package static func logarithm(_ value: Double) -> Double {
    guard value > 0 else { return -.infinity }
    var exponent = Double(value.exponent)
    var significand = value.significand
    if significand > 1.414_213_562_373_095_1 {
      significand /= 2
      exponent += 1
    }
    // ln m = 2·artanh(z), z = (m − 1)/(m + 1), |z| ≤ 0.172.
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    var sum = 1.0 / 21
    for denominator in [19.0, 17, 15, 13, 11, 9, 7, 5, 3, 1] {
      sum = sum * square + 1 / denominator
    }
    return exponent + 2 * z * sum / naturalLogarithmOfTwo
  }

  /// The natural logarithm of a positive finite number.
  package static func naturalLogarithm(_ value: Double) -> Double {
    logarithm(value) * naturalLogarithmOfTwo
  }
}
