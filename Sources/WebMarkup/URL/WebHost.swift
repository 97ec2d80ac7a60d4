internal import CICU
import Values

/// Hosts as the URL Standard parses and writes them (3.5).
enum WebHost {
  /// The host as it is written in a URL; nil for failure.
  static func parse(_ input: [UInt8], isSpecial: Bool) -> String? {
    if input.first == 0x5b {
      guard input.last == 0x5d, let address = IPv6Address(input[1..<(input.count - 1)]) else {
        return nil
      }
      return "[\(address.description)]"
    }
    guard isSpecial else { return opaque(input) }
    guard let domain = ascii(PercentEncoding.bytes(input[...])), !domain.isEmpty,
      !domain.contains(where: isForbiddenInDomain)
    else { return nil }
    var parts = domain.split(separator: 0x2e, omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true, parts.count > 1 { parts.removeLast() }
    guard let last = parts.last, !last.isEmpty, last.allSatisfy(\.isDigit) || number(last) != nil
    else { return String(decoding: domain, as: UTF8.self) }
    return ipv4(parts)
  }

  private static func opaque(_ input: [UInt8]) -> String? {
    guard !input.contains(where: isForbidden) else { return nil }
    return String(decoding: PercentEncodeSet.control.encode(input), as: UTF8.self)
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00, 0x09, 0x0a, 0x0d, 0x20, 0x23, 0x2f, 0x3a, 0x3c, 0x3e, 0x3f, 0x40, 0x5b...0x5e, 0x7c:
      true
    default: false
    }
  }

  private static func isForbiddenInDomain(_ byte: UInt8) -> Bool {
    byte <= 0x1f || byte == 0x25 || byte == 0x7f || isForbidden(byte)
  }

  private static func ascii(_ domain: [UInt8]) -> [UInt8]? {
    let lowered = domain.map(\.lowered)
    let isPlain = lowered.allSatisfy { $0 < 0x80 }
    if isPlain {
      let hasPunycode = lowered.split(separator: 0x2e).contains {
        $0.starts(with: Array("xn--".utf8))
      }
      if !hasPunycode { return lowered }
    }
    guard domain.count < 1 << 14 else { return nil }
    var target = [UInt8](repeating: 0, count: domain.count * 8 + 64)
    // SAFETY: ICU reads and writes within the counts it is given.
    let count = unsafe domain.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        unsafe cairn_domain_to_ascii(
          source.baseAddress, Int32(source.count), target.baseAddress, Int32(target.count))
      }
    }
    return count < 0 ? nil : Array(target[..<Int(count)])
  }

  // MARK: IPv4

  private static func ipv4(_ parts: [ArraySlice<UInt8>]) -> String? {
    guard parts.count <= 4 else { return nil }
    var numbers = parts.compactMap { number($0) }
    guard numbers.count == parts.count, let last = numbers.popLast(),
      numbers.allSatisfy({ $0 < 256 }),
      last < 1 << (8 * UInt64(4 - numbers.count))
    else { return nil }
    let address = numbers.enumerated().reduce(last) {
      $0 + $1.element << (8 * UInt64(3 - $1.offset))
    }
    return [24, 16, 8, 0].map { String(address >> $0 & 255) }.joined(separator: ".")
  }

  /// A number in decimal, `0x` hex or `0` octal; nil where it is none.
  private static func number(_ part: ArraySlice<UInt8>) -> UInt64? {
    guard !part.isEmpty else { return nil }
    var digits = part
    var radix: UInt64 = 10
    if digits.count >= 2, digits[digits.startIndex] == 0x30 {
      if digits[digits.startIndex + 1] | 0x20 == 0x78 {
        digits = digits.dropFirst(2)
        radix = 16
      } else {
        digits = digits.dropFirst()
        radix = 8
      }
    }
    var value: UInt64 = 0
    for byte in digits {
      guard byte.isHexDigit, UInt64(byte.hexValue) < radix else { return nil }
      value = min(1 << 40, value * radix + UInt64(byte.hexValue))
    }
    return value
  }
}

/// An IPv6 address.
struct IPv6Address: CustomStringConvertible {
  var pieces = [UInt16](repeating: 0, count: 8)

  init?(_ input: ArraySlice<UInt8>) {
    let bytes = Array(input)
    var (piece, position) = (0, 0)
    var compress: Int?
    if bytes.first == 0x3a {
      guard bytes.count > 1, bytes[1] == 0x3a else { return nil }
      position = 2
      piece = 1
      compress = 1
    }
    while position < bytes.count {
      guard piece < 8 else { return nil }
      if bytes[position] == 0x3a {
        guard compress == nil else { return nil }
        position += 1
        piece += 1
        compress = piece
        continue
      }
      let start = position
      var value: UInt16 = 0
      while position < bytes.count, position - start < 4, bytes[position].isHexDigit {
        value = value << 4 | UInt16(bytes[position].hexValue)
        position += 1
      }
      if position < bytes.count, bytes[position] == 0x2e {
        guard piece <= 6, position > start, setIPv4(Array(bytes[start...]), at: piece) else {
          return nil
        }
        piece += 2
        position = bytes.count
        break
      }
      if position < bytes.count {
        guard bytes[position] == 0x3a, position + 1 < bytes.count else { return nil }
        position += 1
      }
      pieces[piece] = value
      piece += 1
    }
    guard expand(compress, used: piece) else { return nil }
  }

  private mutating func expand(_ compress: Int?, used: Int) -> Bool {
    guard let compress else { return used == 8 }
    var swaps = used - compress
    var index = 7
    while index > 0, swaps > 0 {
      pieces.swapAt(index, compress + swaps - 1)
      index -= 1
      swaps -= 1
    }
    return true
  }

  private mutating func setIPv4(_ text: [UInt8], at piece: Int) -> Bool {
    let parts = text.split(separator: 0x2e, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return false }
    for (index, part) in parts.enumerated() {
      guard (1...3).contains(part.count), part.allSatisfy(\.isDigit),
        part.count == 1 || part.first != 0x30
      else { return false }
      let value = part.reduce(0) { $0 * 10 + UInt16($1.hexValue) }
      guard value < 256 else { return false }
      pieces[piece + index / 2] = pieces[piece + index / 2] << 8 | value
    }
    return true
  }

  /// With the longest run of zeros as `::`.
  var description: String {
    var best = 0..<0
    var index = 0
    while index < 8 {
      let start = index
      while index < 8, pieces[index] == 0 { index += 1 }
      if index - start > max(1, best.count) { best = start..<index }
      index += 1
    }
    let hex = pieces.map { String($0, radix: 16) }
    if best.isEmpty { return hex.joined(separator: ":") }
    return hex[..<best.lowerBound].joined(separator: ":") + "::"
      + hex[best.upperBound...].joined(separator: ":")
  }
}
