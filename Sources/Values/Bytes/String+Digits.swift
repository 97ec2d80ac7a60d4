extension String {
  /// A number of at least so many digits, zeros before them.
  package init<Number: BinaryInteger>(_ number: Number, radix: Int = 10, digits: Int) {
    let text = String(number, radix: radix)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}
