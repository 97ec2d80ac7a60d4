import Cairn

// What a store holds, as Foundation's values and back.

extension AttributeValue {
  var number: NSNumber? {
    switch self {
    case .bool(let flag): NSNumber(value: flag)
    case .integer(let integer): NSNumber(value: integer)
    case .double(let double): NSNumber(value: double)
    default: nil
    }
  }

  var date: Date? { string.flatMap { Timestamp(rfc3339: $0) }.map { Date($0) } }

  var bytes: Data? { if case .data(let bytes) = self { Data(bytes) } else { nil } }

  /// The elements of an array, of which those of other types are left out.
  func elements<T>(_ read: (AttributeValue) -> T?) -> [T]? {
    switch self {
    case .array(let elements): elements.compactMap(read)
    default: read(self).map { [$0] }
    }
  }

  init(number: NSNumber) {
    let integer = number.int64Value
    if NSNumber(value: integer) == number {
      self = .integer(integer)
    } else {
      self = .double(number.doubleValue)
    }
  }

  /// A number that mostly is 0 or 1, and then is stored as a truth value.
  init(flag: NSNumber) {
    switch flag.doubleValue {
    case 0: self = .bool(false)
    case 1: self = .bool(true)
    default: self.init(number: flag)
    }
  }

  init(date: Date) {
    // What is no moment makes the item invalid, as a number that is not finite does.
    self = date.isMoment ? .string(Timestamp(date).rfc3339) : .double(.nan)
  }

  /// Headers, whose values may be anything but mostly are texts.
  init?(headers: [String: [Any]]) {
    let plain = headers.mapValues { $0.map { $0 as? String ?? String(describing: $0) } }
    guard let data = try? JSONSerialization.data(withJSONObject: plain, options: [.sortedKeys])
    else { return nil }
    self = .data(Array(data))
  }
}

extension Timestamp {
  /// The nearest moment that a store can hold, to the nanosecond.
  init(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < 1e12 else {
      self = seconds < 0 ? .earliest : .latest
      return
    }
    let whole = seconds.rounded(.down)
    let nanoseconds = ((seconds - whole) * 1e9).rounded()
    let carry = nanoseconds >= 1e9
    self.init(
      seconds: Int64(whole) + Self.referenceSeconds + (carry ? 1 : 0),
      nanoseconds: carry ? 0 : UInt32(nanoseconds))
  }

  /// Seconds from 1970 to 2001, where Foundation's dates begin.
  fileprivate static let referenceSeconds: Int64 = 978_307_200
}

extension Date {
  /// Whether it is at a distance from others that can be counted.
  var isMoment: Bool { timeIntervalSinceReferenceDate.isFinite }

  /// The moment as a date: the same that a date stored as a timestamp had before, bit by bit.
  init(_ time: Timestamp) {
    self.init(
      timeIntervalSinceReferenceDate: Double(time.seconds - Timestamp.referenceSeconds) + Double(
        time.nanoseconds) / 1e9)
  }
}
