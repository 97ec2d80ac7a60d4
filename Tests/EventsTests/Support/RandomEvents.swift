import Events
import TestSupport

/// Random events that obey the rules, biased towards the edges.
struct RandomEvents {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func event() -> Event {
    let kind: EventKind = pick([.index, .update, .delete, .view, .select, .impression])
    var event = Event(kind: kind, item: text(1...20))
    if kind == .delete, chance(3) {
      event.item = nil
      if chance(2) { event.all = true } else { event.domain = .value(domain()) }
    } else if chance(2) {
      event.domain = chance(4) ? .cleared : .value(domain())
    }
    if chance(2) { event.time = time() }
    if chance(2) { event.id = EventID(high: generator.next(), low: generator.next()) }
    if chance(3) { event.actor = text(0...5) }
    if chance(3) { event.source = text(0...5) }
    if chance(3) { event.session = text(0...40) }
    if kind == .index || kind == .update || kind == .view {
      for _ in 0..<number(0...30) / 2 { event.attributes[text(0...12)] = value() }
    }
    if chance(3) { event.expires = chance(3) ? .cleared : .value(time()) }
    if chance(3) { event.query = text(0...30) }
    if chance(3) { event.position = pick([1, 2, 23, 24, 255, 256, 65_536, .max]) }
    if chance(3) { event.shown = (0..<number(0...30)).map { _ in text(1...9) } }
    if chance(3) { event.dwell = abs(double()) }
    if chance(3) { event.latency = abs(double()) }
    if chance(3) { event.deliberate = chance(2) }
    event.schema = EventSchema.current
    for _ in 0..<(chance(2) ? 0 : number(1...20)) { event.extras["x" + text(0...9)] = json(3) }
    return event
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }

  mutating func pick<T>(_ choices: [T]) -> T { choices[number(0...choices.count - 1)] }

  mutating func text(_ count: ClosedRange<Int>) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", "é", "e\u{301}".unicodeScalars.last ?? "x", "\u{0}", "\n", "\"", "\\", "\u{7f}",
      "\u{2028}", "\u{feff}", "\u{ffff}", "日", "😀", "\u{10ffff}", "/", ",", "{", "z",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<number(count) { text.append(pick(scalars)) }
    return String(text)
  }

  mutating func domain() -> String {
    (0..<number(1...4)).map { _ in text(1...5) }.joined(separator: ".")
  }

  mutating func time() -> Timestamp {
    let nanoseconds = pick([0, 1, 999_999_999, 250_000_000, 123_456_000])
    let seconds = Int64.random(
      in: Timestamp.earliest.seconds...Timestamp.latest.seconds, using: &generator)
    return Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }

  mutating func double() -> Double {
    if chance(2) {
      return pick([
        0, 0.5, 1, 1.5, 65_504, 65_505, 5.9604644775390625e-08, 6.103515625e-05, 1e16, 1e22,
        3.4028234663852886e+38, 1.1754943508222875e-38, 1e300, .leastNonzeroMagnitude, 0.1, .pi,
        .greatestFiniteMagnitude, .leastNormalMagnitude, 1 / 3, 9_007_199_254_740_994,
      ]) * (chance(2) ? 1 : -1)
    }
    let value = Double(bitPattern: generator.next())
    return value.isFinite ? value : 0.25
  }

  private mutating func scalar() -> AttributeValue {
    switch number(0...5) {
    case 0: .null
    case 1: .bool(chance(2))
    case 2:
      .integer(pick([0, 1, -1, 23, 24, -24, -25, 255, 256, -257, 65_536, 1 << 32, .min, .max]))
    case 3: .double(double())
    case 4: .data((0..<number(0...40)).map { _ in UInt8.random(in: 0...255, using: &generator) })
    default: .string(text(0...30))
    }
  }

  private mutating func value() -> AttributeValue {
    chance(3) ? .array((0..<number(0...26)).map { _ in scalar() }) : scalar()
  }

  private mutating func json(_ depth: Int) -> JSONValue {
    switch number(0...(depth > 0 ? 6 : 4)) {
    case 0: return .null
    case 1: return .bool(chance(2))
    case 2, 3:
      return .number(
        pick(["0", "-0", "1", "-1", "1.0", "1e5", "1E+5", "0.10", "123456789012345678901", "1e999"])
      )
    case 4: return .string(text(0...30))
    case 5: return .array((0..<number(0...26)).map { _ in json(depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<number(0...26) { object[text(0...4)] = json(depth - 1) }
      return .object(object)
    }
  }
}
