import Values

/// A moment as pages write it, in the zone it was written in.
struct MarkupDate: Equatable {
  private var fields: [Int] = []
  private var fraction = ""
  private var zone = "Z"

  /// RFC 3339: no zone means UTC, no time the start of the day.
  init?(_ text: String) {
    var scan = DigitScanner(text.strippedSpace)
    guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
      let day = scan.number(2)
    else { return nil }
    fields = [year, month, day, 0, 0, 0]
    if !scan.isAtEnd {
      guard scan.take("T") || scan.take("t") || scan.take(" "), readTime(&scan) else { return nil }
    }
    guard scan.isAtEnd, isPossible else { return nil }
  }

  private mutating func readTime(_ scan: inout DigitScanner) -> Bool {
    guard let hour = scan.number(2), scan.take(":"), let minute = scan.number(2) else {
      return false
    }
    (fields[3], fields[4]) = (hour, minute)
    if scan.take(":") {
      guard let second = scan.number(2) else { return false }
      fields[5] = second
      if scan.take(".") || scan.take(",") {
        fraction = scan.digits()
        if fraction.isEmpty { return false }
      }
    }
    _ = scan.take(" ")
    if scan.isAtEnd || scan.take("Z") || scan.take("z") { return true }
    return readZone(&scan)
  }

  private mutating func readZone(_ scan: inout DigitScanner) -> Bool {
    guard let offset = scan.offset() else { return false }
    let minutes = abs(offset) / 60
    zone =
      minutes == 0
      ? "Z"
      : (offset < 0 ? "-" : "+") + String(minutes / 60, digits: 2) + ":"
        + String(minutes % 60, digits: 2)
    return true
  }

  private var isPossible: Bool {
    let (year, month, day) = (fields[0], fields[1], fields[2])
    return day >= 1 && day <= CivilDate.dayCount(year: year, month: month) && fields[3] < 24
      && fields[4] < 60 && fields[5] <= 60
  }

  /// `Sat Oct 05 2024 12:34:56 GMT+0200 (…)`, as browsers write dates.
  init?(browserText text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count >= 6, words[5].hasPrefix("GMT"),
      let month = Self.months.firstIndex(of: words[1])
    else { return nil }
    self.init(
      "\(words[3])-\(String(month + 1, digits: 2))-\(words[2])T\(words[4])\(words[5].dropFirst(3))")
  }

  /// `Sat, 05 Oct 2024 12:34:56 +0200`, as RFC 5322 and HTTP write dates.
  init?(mailText text: String) {
    var words = text.split { $0 == " " || $0 == "," }.map(String.init)
    if let first = words.first, first.utf8.allSatisfy(\.isLetter) { words.removeFirst() }
    guard words.count >= 4, let month = Self.months.firstIndex(of: words[1]),
      let day = Int(words[0])
    else { return nil }
    let zone = words.count > 4 && !["GMT", "UT", "UTC"].contains(words[4]) ? words[4] : "Z"
    self.init(
      "\(words[2])-\(String(month + 1, digits: 2))-\(String(day, digits: 2))T\(words[3])\(zone)")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  var rfc3339: String {
    let f = zip(fields, [4, 2, 2, 2, 2, 2]).map { String($0, digits: $1) }
    let seconds = fraction.isEmpty ? f[5] : "\(f[5]).\(fraction)"
    return "\(f[0])-\(f[1])-\(f[2])T\(f[3]):\(f[4]):\(seconds)\(zone)"
  }
}

/// A number as structured data writes it: `[+-]?digits[.digits]`.
package enum MarkupNumber {
  static func parse(_ text: String) -> Double? {
    var scan = DigitScanner(text.strippedSpace)
    let isNegative = scan.take("-")
    if !isNegative { _ = scan.take("+") }
    let whole = scan.digits()
    guard !whole.isEmpty else { return nil }
    var digits = whole
    if scan.take(".") {
      let part = scan.digits()
      guard !part.isEmpty else { return nil }
      digits += "." + part
    }
    guard scan.isAtEnd, let value = Double(digits), value.isFinite else { return nil }
    return isNegative ? -value : value
  }

  /// Whole numbers without a point.
  static func json(_ value: Double) -> JSON {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return .integer(whole) }
    return .number(value.description)
  }

  /// The seconds of an ISO 8601 duration; years and months, which have no fixed length, are none,
  /// and nothing lasts a thousand million.
  package static func seconds(_ text: String) -> Double? {
    var scan = DigitScanner(text.strippedSpace)
    guard scan.take("P") else { return nil }
    var seconds = 0.0
    var isTime = false
    var hasPart = false
    while !scan.isAtEnd {
      if !isTime, scan.take("T") {
        isTime = true
        continue
      }
      var digits = scan.digits()
      guard !digits.isEmpty else { return nil }
      if scan.take(".") || scan.take(",") { digits += "." + scan.digits() }
      guard let value = Double(digits), let unit = unit(&scan, isTime, of: value) else {
        return nil
      }
      seconds += value * unit
      hasPart = true
    }
    return hasPart && seconds < 1e9 ? seconds : nil
  }

  private static func unit(
    _ scan: inout DigitScanner, _ isTime: Bool, of value: Double
  ) -> Double? {
    if isTime { return scan.take("H") ? 3600 : scan.take("M") ? 60 : scan.take("S") ? 1 : nil }
    // No years are no time, however long one is: `P0Y0M0DT35M`.
    if value == 0, scan.take("Y") || scan.take("M") { return 0 }
    return scan.take("W") ? 604_800 : scan.take("D") ? 86_400 : nil
  }
}
