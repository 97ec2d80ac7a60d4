/// What somebody pressed.
enum Key: Equatable {
  case text(String)
  case enter, escape, interrupt
  case backspace, delete, deleteWord, deleteLine
  /// Ctrl-D, which ends a line of shells where nothing is typed.
  case deleteOrLeave
  case left, right, home, end
  case up, down, pageUp, pageDown
  /// To an earlier point of history, and back.
  case earlier, later
}

/// Makes keys of the bytes that a terminal sends.
///
/// Source: ECMA-48 (control sequences), xterm (modifiers, bracketed paste).
struct KeyReader {
  private var bytes: ArraySlice<UInt8> = []
  private var isPasting = false

  /// A sequence longer than this is none.
  private static let sequenceByteCountMax = 32

  /// Whether a key has begun that is not whole.
  var isWaiting: Bool { !bytes.isEmpty }

  mutating func feed(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

  /// The next whole key; nil when more has to come.
  ///
  /// The escape key is the beginning of what other keys send: it is one when nothing follows.
  mutating func next(isQuiet: Bool) -> Key? {
    while let first = bytes.first {
      if first == 0x1B {
        switch sequence() {
        case .key(let key, let count):
          bytes.removeFirst(count)
          if let key { return key }
        case .unfinished:
          guard isQuiet else { return nil }
          bytes = []
          return .escape
        }
      } else if first < 0x20 || first == 0x7F {
        bytes.removeFirst()
        if isPasting { return .text(" ") }
        if let key = Self.control(first) { return key }
      } else {
        let count = min(Self.scalarByteCount(first), bytes.count)
        guard count == Self.scalarByteCount(first) || isQuiet else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        bytes.removeFirst(count)
        return .text(text)
      }
    }
    return nil
  }

  private enum Beginning {
    /// So many bytes that are a key, or none that is known.
    case key(Key?, Int)
    case unfinished
  }

  private mutating func sequence() -> Beginning {
    let rest = bytes.dropFirst()
    guard let second = rest.first else { return .unfinished }
    switch second {
    case UInt8(ascii: "["):
      let body = rest.dropFirst()
      guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        return bytes.count > Self.sequenceByteCountMax ? .key(nil, bytes.count) : .unfinished
      }
      let parameters = String(decoding: body[..<end], as: UTF8.self)
      let count = end - bytes.startIndex + 1
      if bytes[end] == UInt8(ascii: "~"), parameters == "200" || parameters == "201" {
        isPasting = parameters == "200"
        return .key(nil, count)
      }
      return .key(Self.named(parameters, bytes[end]), count)
    case UInt8(ascii: "O"):
      guard let letter = rest.dropFirst().first else { return .unfinished }
      return .key(Self.named("", letter), 3)
    // What some terminals send for Alt and an arrow.
    case UInt8(ascii: "b"): return .key(.earlier, 2)
    case UInt8(ascii: "f"): return .key(.later, 2)
    case 0x1B: return .key(.escape, 1)
    default: return .key(nil, 2)
    }
  }

  private static func named(_ parameters: String, _ final: UInt8) -> Key? {
    // 1;3 is Alt, 1;5 Ctrl, 1;9 Meta.
    let isModified = ["1;3", "1;5", "1;9"].contains(parameters)
    switch Character(Unicode.Scalar(final)) {
    case "A": return .up
    case "B": return .down
    case "C": return isModified ? .later : .right
    case "D": return isModified ? .earlier : .left
    case "H": return .home
    case "F": return .end
    case "~":
      switch parameters {
      case "1", "7": return .home
      case "4", "8": return .end
      case "3": return .delete
      case "5": return .pageUp
      case "6": return .pageDown
      default: return nil
      }
    default: return nil
    }
  }

  /// Ctrl and a letter, as shells take them.
  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .home
    case 0x02: .left
    case 0x03: .interrupt
    case 0x04: .deleteOrLeave
    case 0x05: .end
    case 0x06: .right
    case 0x07: .escape
    case 0x08, 0x7F: .backspace
    case 0x0A, 0x0D: .enter
    case 0x0E: .down
    case 0x10: .up
    case 0x15: .deleteLine
    case 0x17: .deleteWord
    default: nil
    }
  }

  private static func scalarByteCount(_ first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
