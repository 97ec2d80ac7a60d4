/// How many things and values are read of a page.
struct ThingLimits {
  private var things = 0
  private var values = 0
  private var repeated = (values: 0, bytes: 0)
  private var growth = 0
  private var terms = 0
  /// Whether something was left out.
  var isExceeded = false

  /// A thing may come in several others; each time counts.
  mutating func takesThing() -> Bool {
    things += 1
    return holds(things, PageDocument.thingLimit)
  }

  /// Whether the last value that was asked for was taken.
  var hasValues: Bool { values <= PageDocument.valueLimit }

  mutating func takesValue() -> Bool {
    values += 1
    return holds(values, PageDocument.valueLimit)
  }

  /// The values of a thing come with each of its copies, though the page has them once.
  mutating func takesRepeated(_ byteCount: Int) -> Bool {
    repeated.values += 1
    repeated.bytes += byteCount
    let isFew = holds(repeated.values, PageDocument.valueLimit)
    let isShort = holds(repeated.bytes, PageDocument.textLimit)
    return isFew && isShort
  }

  /// Whether a name is no longer than names are: one that the page has once may come often.
  mutating func takesName(_ byteCount: Int) -> Bool { holds(byteCount, HTMLLimits.urlBytes) }

  /// Names and ids have so many bytes more than the page has for them: each begins with what a
  /// context or the base puts before it.
  mutating func takesGrowth(_ byteCount: Int) -> Bool {
    guard byteCount > 0 else { return true }
    growth += byteCount
    return holds(growth, PageDocument.textLimit)
  }

  /// The terms of contexts are read again for each thing that they hold for.
  mutating func takesTerms(_ count: Int) -> Bool {
    terms += count
    return holds(terms, PageDocument.termLimit)
  }

  private mutating func holds(_ count: Int, _ limit: Int) -> Bool {
    if count > limit { isExceeded = true }
    return count <= limit
  }
}
