/// How many things and values are read of a page (web.md, section 8).
struct ThingLimits {
  private var things = 0
  private var values = 0
  private var copies = 0
  /// Whether something was left out.
  var isExceeded = false

  mutating func takesThing() -> Bool {
    things += 1
    return holds(things, PageDocument.thingLimit)
  }

  mutating func takesValue() -> Bool {
    values += 1
    return holds(values, PageDocument.valueLimit)
  }

  /// A thing may come in several others; each time counts.
  mutating func takesCopy() -> Bool {
    copies += 1
    return holds(copies, PageDocument.thingLimit)
  }

  private mutating func holds(_ count: Int, _ limit: Int) -> Bool {
    if count > limit { isExceeded = true }
    return count <= limit
  }
}
