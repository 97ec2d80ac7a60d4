/// What a character is to a word boundary.
enum BoundaryClass: UInt8, Sendable {
  /// Before the first and after the last character.
  case edge
  case lower
  case upper
  /// A letter without case, or a digit.
  case alphanumeric
  /// A letter of a script that is written without blanks between words.
  case unsegmented
  case space
  case other

  static let ascii: [BoundaryClass] = (UInt8(0)..<128).map { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .alphanumeric
    case 0x20, 0x09...0x0D: .space
    default: .other
    }
  }

  /// The class of a character by its first scalar; the rest are marks that do not change it.
  init(_ scalar: Unicode.Scalar) {
    guard !scalar.isASCII else {
      self = Self.ascii[Int(scalar.value)]
      return
    }
    let properties = scalar.properties
    if Self.isUnsegmented(scalar) {
      self = .unsegmented
    } else if properties.isLowercase {
      self = .lower
    } else if properties.isUppercase {
      self = .upper
    } else if properties.isAlphabetic || properties.numericType != nil {
      self = .alphanumeric
    } else {
      self = properties.isWhitespace ? .space : .other
    }
  }

  var isAlphanumeric: Bool {
    switch self {
    case .lower, .upper, .alphanumeric, .unsegmented: true
    case .edge, .space, .other: false
    }
  }

  /// Whether a word may start or end between this character and the next.
  ///
  /// Apple names the edges of alphanumeric runs and the step from lower to upper case. Runs of
  /// marks have edges too, so that `C++` is found as a word, and between letters of scripts without
  /// blanks every position counts, because no character there shows where words end.
  func hasBoundary(before next: BoundaryClass) -> Bool {
    if self == next { return self == .unsegmented }
    guard isAlphanumeric, next.isAlphanumeric else { return true }
    return self == .lower && next == .upper || self == .unsegmented || next == .unsegmented
  }

  /// Han, kana, Thai, Lao, Khmer, Myanmar and their neighbours.
  private static func isUnsegmented(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x4E00...0x9FFF: true
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF,
      0xAA60...0xAA7F, 0x3005...0x3007, 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
      0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1_B000...0x1_B16F, 0x2_0000...0x3_FFFD:
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    default: false
    }
  }
}
