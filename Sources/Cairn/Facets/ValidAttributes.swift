/// Takes values that break their declaration out of attributes: to filters they are missing, as
/// they are to order and counts.
struct ValidAttributes {
  private let schema: SchemaDefinition
  private let keys: [(text: String, bytes: [UInt8])]
  /// By domain, what it declares of each; nil for nothing.
  private var rules: [[UInt8]: [AttributeDeclaration?]] = [:]
  /// Domains whose rules are kept.
  private static let ruleCountMax = 4_096

  /// Of some attributes those that the schema declares anywhere.
  init(_ schema: SchemaDefinition, _ keys: [String]) {
    self.schema = schema
    self.keys = keys.filter { !schema.declarations(of: $0).isEmpty }.map { ($0, Array($0.utf8)) }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// An encoded map of attributes without what breaks its declaration in a domain.
  /// - Complexity: O(attributes · keys); O(bytes) where something is taken out.
  /// - Throws: `.corrupt` for bytes that are no attributes.
  mutating func of(_ map: [UInt8], domain: [UInt8]?) throws(CairnError) -> [UInt8] {
    guard !keys.isEmpty else { return map }
    let rules = rules(of: domain ?? [])
    var broken = Attributes()
    var cursor = AttributeCursor(map, map.indices)
    while let (key, layout) = cursor.next() {
      for (place, known) in keys.enumerated() where key.count == known.bytes.count {
        guard let rule = rules[place], map[key].elementsEqual(known.bytes),
          rule.fault(of: try AttributeValue(layout, map)) != nil
        else { continue }
        broken[known.text] = .null
      }
    }
    guard !broken.isEmpty else { return map }
    var removal: [UInt8] = []
    try broken.encode(to: &removal)
    return AttributeMap.merging(map, map.indices, with: removal, removal.indices)
  }

  private mutating func rules(of domain: [UInt8]) -> [AttributeDeclaration?] {
    if let known = rules[domain] { return known }
    let effective = schema.effective(String(decoding: domain, as: UTF8.self))
    let found = keys.map { effective.attributes[$0.text] }
    if rules.count < Self.ruleCountMax { rules[domain] = found }
    return found
  }
}
