/// Reads canonical CBOR from bytes that may be anything.
///
/// Never reads outside the bytes and never trusts a count; what is not in the one canonical form
/// is refused. The bytes are handed to every call.
struct PayloadReader {
  /// The next byte to read.
  var position: Int

  init(at position: Int = 0) { self.position = position }

  /// The error for bytes that are not canonical here.
  func malformed() -> CairnError {
    CairnError(.corrupt, "the stored event does not decode", at: position, remedy: .verify)
  }

  @inline(__always) private mutating func byte(_ bytes: Span<UInt8>) throws(CairnError) -> UInt8 {
    guard position < bytes.count else { throw malformed() }
    position += 1
    return bytes[position - 1]
  }

  private mutating func bigEndian(_ bytes: Span<UInt8>, _ count: Int) throws(CairnError) -> UInt64 {
    guard count <= bytes.count - position else { throw malformed() }
    var value: UInt64 = 0
    for index in position..<position + count { value = value << 8 | UInt64(bytes[index]) }
    position += count
    return value
  }

  /// The byte at the position without moving, 0xff at the end: no item begins with that.
  @inline(__always) func peek(_ bytes: Span<UInt8>) -> UInt8 {
    position < bytes.count ? bytes[position] : 0xff
  }

  /// Reads a head of the given type and gives its argument.
  @inline(__always) mutating func head(_ bytes: Span<UInt8>, _ major: CBORMajor) throws(CairnError)
    -> UInt64
  {
    let first = try byte(bytes)
    guard first >> 5 == major.rawValue else { throw malformed() }
    let low = first & 0x1f
    return low < 24 ? UInt64(low) : try argument(bytes, low)
  }

  /// The argument of a head in the bytes that follow it.
  private mutating func argument(_ bytes: Span<UInt8>, _ low: UInt8) throws(CairnError) -> UInt64 {
    guard low < 28 else { throw malformed() }
    if low == 24 {
      let value = UInt64(try byte(bytes))
      guard value >= 24 else { throw malformed() }
      return value
    }
    let value = try bigEndian(bytes, 1 << Int(low - 24))
    guard value >= 1 << (UInt64(4) << UInt64(low - 24)) else { throw malformed() }
    return value
  }

  /// Reads the head of something with as many bytes or elements as the argument says: no more
  /// than there are bytes left.
  @inline(__always) mutating func count(_ bytes: Span<UInt8>, _ major: CBORMajor) throws(CairnError)
    -> Int
  {
    let value = try head(bytes, major)
    guard value <= UInt64(bytes.count - position) else { throw malformed() }
    return Int(value)
  }

  /// Reads a text or byte string and gives the range of its bytes.
  @inline(__always) mutating func string(_ bytes: Span<UInt8>, _ major: CBORMajor = .text)
    throws(CairnError) -> Range<Int>
  {
    let count = try count(bytes, major)
    position += count
    return position - count..<position
  }

  mutating func integer(_ bytes: Span<UInt8>) throws(CairnError) -> Int64 {
    let isNegative = peek(bytes) >> 5 == CBORMajor.negative.rawValue
    guard let value = Int64(exactly: try head(bytes, isNegative ? .negative : .unsigned)) else {
      throw malformed()
    }
    return isNegative ? ~value : value
  }

  mutating func bool(_ bytes: Span<UInt8>) throws(CairnError) -> Bool {
    switch try byte(bytes) {
    case CBORByte.true: return true
    case CBORByte.false: return false
    default: throw malformed()
    }
  }

  mutating func null(_ bytes: Span<UInt8>) throws(CairnError) {
    guard try byte(bytes) == CBORByte.null else { throw malformed() }
  }

  /// Reads a finite number in the shortest width that holds it.
  mutating func double(_ bytes: Span<UInt8>) throws(CairnError) -> Double {
    let value: Double
    switch try byte(bytes) {
    case CBORByte.half: value = Double(Float16(bitPattern: UInt16(try bigEndian(bytes, 2))))
    case CBORByte.single:
      let single = Float(bitPattern: UInt32(try bigEndian(bytes, 4)))
      guard Float16(exactly: single) == nil else { throw malformed() }
      value = Double(single)
    case CBORByte.double:
      value = Double(bitPattern: try bigEndian(bytes, 8))
      guard Double(Float(value)) != value else { throw malformed() }
    default: throw malformed()
    }
    guard value.isFinite else { throw malformed() }
    return value
  }

  /// Reads a number of seconds: not negative, and no minus zero.
  mutating func duration(_ bytes: Span<UInt8>) throws(CairnError) -> Double {
    let value = try double(bytes)
    guard value.sign == .plus else { throw malformed() }
    return value
  }

  mutating func timestamp(_ bytes: Span<UInt8>) throws(CairnError) -> Timestamp {
    guard try head(bytes, .array) == 2 else { throw malformed() }
    let seconds = try integer(bytes)
    let nanoseconds = try head(bytes, .unsigned)
    guard seconds >= Timestamp.earliest.seconds, seconds <= Timestamp.latest.seconds,
      nanoseconds < 1_000_000_000
    else { throw malformed() }
    return Timestamp(unchecked: seconds, UInt32(nanoseconds))
  }

  /// Reads the value of an attribute or, without arrays, an element of one.
  mutating func value(_ bytes: Span<UInt8>, allowsArray: Bool = true) throws(CairnError)
    -> ValueLayout
  {
    let first = peek(bytes)
    switch CBORMajor(rawValue: first >> 5) {
    case .unsigned, .negative: return .integer(try integer(bytes))
    case .text: return .string(try string(bytes))
    case .bytes: return .data(try string(bytes, .bytes))
    case .array where allowsArray:
      let start = position
      for _ in 0..<(try count(bytes, .array)) { _ = try value(bytes, allowsArray: false) }
      return .array(start..<position)
    case .simple:
      switch first {
      case CBORByte.true, CBORByte.false: return .bool(try bool(bytes))
      case CBORByte.null:
        position += 1
        return .null
      default: return .double(try double(bytes))
      }
    default: throw malformed()
    }
  }

  /// Reads a key and checks that it comes after the one before it.
  mutating func key(_ bytes: Span<UInt8>, after previous: inout Range<Int>) throws(CairnError)
    -> Range<Int>
  {
    let start = position
    let key = try string(bytes)
    let order = CanonicalOrder.order(bytes, previous, bytes, start..<position)
    guard order < 0 else { throw malformed() }
    previous = start..<position
    return key
  }
}
