import Columns
import Projections
import Query
import Synchronization

/// Which attributes of a schema have columns, and what an item has in them.
final class ColumnLayout: Sendable {
  struct Column: Sendable {
    let key: String
    let type: DeclaredType
    let isMulti: Bool
    /// The hash of the key.
    let name: NameKey
  }

  let columns: [Column]
  private let numbers: [String: Int]
  /// By the bytes of a name in a map of attributes, its column; and whether it is another name by
  /// which filters find values of the attribute.
  private let names: [ArraySlice<UInt8>: (column: Int, isOther: Bool)]
  /// By domain, what it says of each column.
  private let rules = Mutex<[[UInt8]: [ColumnRule?]]>([:])
  /// Domains whose rules are kept.
  private static let ruleCountMax = 4_096

  /// Columns are numbered in byte order of keys: what is sorted, counted or compared by range.
  init(_ schema: SchemaDefinition) {
    let keys = schema.keys { _, declaration in
      switch declaration.type {
      case .integer, .decimal, .time, .boolean: true
      case .text, .keyword: declaration.isSortable || declaration.isFacet
      case .place: false
      }
    }
    var columns: [Column] = []
    var numbers: [String: Int] = [:]
    var names: [ArraySlice<UInt8>: (column: Int, isOther: Bool)] = [:]
    for key in keys.prefix(Columns.countMax) {
      guard let declaration = schema.declarations(of: key).first?.attribute else { continue }
      let bytes = Array(key.utf8)
      for other in Self.otherNames(key) { names[other[...]] = (columns.count, true) }
      names[bytes[...]] = (columns.count, false)
      numbers[key] = columns.count
      columns.append(
        Column(key: key, type: declaration.type, isMulti: declaration.isMulti, name: NameKey(key)))
    }
    (self.columns, self.numbers, self.names) = (columns, numbers, names)
  }

  private static func otherNames(_ key: String) -> [[UInt8]] {
    let spellings = AttributeCatalogue.attribute(named: key)?.spellings ?? []
    let prefixes = [CustomName.date, CustomName.opaque]
    return spellings.filter { !$0.hasBytes(of: key) }.map { Array($0.utf8) }
      + prefixes.map { $0 + Array(key.utf8) }
  }

  func number(of key: String) -> Int? { numbers[key] }

  /// What an item with a map of attributes has in the columns.
  /// - Complexity: O(attributes + columns).
  func contents(
    _ payload: [UInt8], _ attributes: Range<Int>, domain: [UInt8]?, _ lens: SchemaLens
  ) throws(CairnError) -> [ColumnContent] {
    let rules = rules(domain, lens)
    var contents = zip(columns, rules).map { column, rule in
      Self.content(rule?.fallback ?? [], column.type)
    }
    var others: Set<Int> = []
    var cursor = AttributeCursor(payload, attributes)
    while let (key, layout) = cursor.next() {
      guard layout != .null, let (column, isOther) = names[payload[key]], let rule = rules[column]
      else { continue }
      if isOther {
        others.insert(column)
        continue
      }
      let value = try AttributeValue(layout, payload)
      contents[column] =
        Self.isPlain(value, columns[column].type)
        ? rule.values(value).map { Self.content($0, columns[column].type) } ?? .elsewhere
        : .elsewhere
    }
    for column in others { contents[column] = .elsewhere }
    return contents
  }

  private func rules(_ domain: [UInt8]?, _ lens: SchemaLens) -> [ColumnRule?] {
    let name = domain ?? []
    if let known = rules.withLock({ $0[name] }) { return known }
    let effective = lens.effective(domain)
    let made = columns.map {
      ColumnRule($0.key, $0.type, isMulti: $0.isMulti, effective, holdsLength: false)
    }
    rules.withLock { rules in
      if rules.count < Self.ruleCountMax { rules[name] = made }
    }
    return made
  }

  /// Whether a time is one that filters surely read as the same instant: without leap seconds, and
  /// with no more digits than a time has.
  private static func isPlain(_ value: AttributeValue, _ type: DeclaredType) -> Bool {
    guard type == .time else { return true }
    switch value {
    case .string(let text):
      let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
      let digits = fraction.prefix(while: \.isASCIIDigit)
      return digits.count <= 9 && !text.contains(":60")
    case .array(let elements): return elements.allSatisfy { isPlain($0, type) }
    default: return true
    }
  }

  private static func content(_ values: [ColumnValue], _ type: DeclaredType) -> ColumnContent {
    guard !values.isEmpty else { return .none }
    if type == .text || type == .keyword {
      var texts: [[UInt8]] = []
      for case .text(let bytes) in values {
        guard bytes.count <= Columns.textByteCountMax else { return .elsewhere }
        texts.append(bytes)
      }
      return .texts(texts)
    }
    var codes: [UInt64] = []
    for value in values {
      guard let code = value.code(type) else { return .elsewhere }
      codes.append(code)
    }
    return .numbers(codes.sorted())
  }
}

extension ColumnValue {
  /// The value as a column of a type holds it; nil where it cannot.
  func code(_ type: DeclaredType) -> UInt64? {
    switch (type, self) {
    case (.boolean, .bool(let flag)): ColumnCode.of(flag)
    case (.integer, .integer(let whole)): ColumnCode.of(whole)
    case (.decimal, .integer(let whole)):
      Int64(exactly: Double(whole)) == whole ? ColumnCode.of(Double(whole)) : nil
    case (.decimal, .number(let number)): ColumnCode.of(number)
    case (.time, .time(let time)): ColumnCode.of(time)
    default: nil
    }
  }

  /// The value that a column of numbers, times or truth values holds as a code.
  init(_ code: UInt64, _ type: DeclaredType) {
    switch type {
    case .boolean: self = .bool(ColumnCode.flag(code))
    case .decimal:
      let number = ColumnCode.number(code)
      self = Int64(exactly: number).map { .integer($0) } ?? .number(number)
    case .time: self = .time(ColumnCode.time(code))
    default: self = .integer(ColumnCode.integer(code))
    }
  }
}
