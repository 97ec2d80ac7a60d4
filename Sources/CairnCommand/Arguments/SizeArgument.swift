import ArgumentParser

/// A number of bytes: digits, and K, M or G for 1,024 and its powers.
struct SizeArgument: ExpressibleByArgument {
  let byteCount: Int

  init?(argument: String) {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = argument.last.flatMap { units[$0] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard digits.allSatisfy(\.isWholeNumber), let count = Int(digits), count > 0 else { return nil }
    let (product, isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1)
    guard !isTooLarge else { return nil }
    byteCount = product
  }
}
