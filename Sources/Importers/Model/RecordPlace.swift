/// Where a record stands in its file.
package struct RecordPlace: Sendable, Hashable {
  /// What the number counts.
  package enum Unit: UInt8, Sendable {
    case line, row, element, record, byte
  }

  package var unit: Unit
  package var number: Int64

  package static func line(_ number: Int) -> RecordPlace { .init(.line, Int64(number)) }
  package static func row(_ number: Int64) -> RecordPlace { .init(.row, number) }
  package static func element(_ number: Int) -> RecordPlace { .init(.element, Int64(number)) }
  package static func record(_ number: Int) -> RecordPlace { .init(.record, Int64(number)) }
  package static func byte(_ number: Int) -> RecordPlace { .init(.byte, Int64(number)) }

  package init(_ unit: Unit, _ number: Int64) {
    self.unit = unit
    self.number = number
  }
}

extension RecordPlace: CustomStringConvertible {
  package var description: String { unit == .line ? "\(number)" : "\(unit) \(number)" }
}
