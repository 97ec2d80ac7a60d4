internal import Glibc

extension ItemAttributes {
  static func log10(_ value: Double) -> Double { Glibc.log10(value) }
}
