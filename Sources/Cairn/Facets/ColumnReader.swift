import Catalog
import EventLog
import LMDB

/// Reads the values of declared attributes, as they are shown, and of no others.
struct ColumnReader {
  enum Use {
    case sort, facet, group
  }

  private let schema: SchemaDefinition
  private var columns: [(key: String, declaration: AttributeDeclaration)] = []
  /// By the ordinal of the domain, then by column; nil where the attribute is not shown.
  private var rules: [UInt32: [ColumnRule?]] = [:]

  init(_ schema: SchemaDefinition) { self.schema = schema }

  /// Looks an attribute up by its name or an older one; returns the number of its column.
  /// - Throws: `badArgument` for one that is not declared for this use.
  mutating func column(_ asked: String, for use: Use) throws(CairnError) -> Int {
    let key = schema.attribute(meantBy: asked)
    let declaration = schema.declarations(of: key).first?.attribute
    guard let declaration, Self.allows(use, declaration) else { throw Self.undeclared(use) }
    if let known = columns.firstIndex(where: { $0.key.hasBytes(of: key) }) { return known }
    columns.append((key, declaration))
    return columns.count - 1
  }

  private static func allows(_ use: Use, _ declaration: AttributeDeclaration) -> Bool {
    switch use {
    case .sort: declaration.isSortable
    case .facet: declaration.isFacet
    case .group: declaration.isFacet && !declaration.isMulti
    }
  }

  private static func undeclared(_ use: Use) -> CairnError {
    switch use {
    case .sort:
      CairnError(
        .badArgument, "the schema declares no sortable attribute of that name", place: "sort")
    case .facet:
      CairnError(.badArgument, "the schema declares no facet of that name", place: "facet")
    case .group:
      CairnError(
        .badArgument, "the schema declares no facet of one value of that name", place: "groupBy")
    }
  }

  /// The values that a version of an item has in each column, each once, ascending; a value that
  /// breaks its declaration is none.
  /// - Complexity: that of reading its attributes: a read of the log for each event they are from.
  mutating func values(
    of item: UInt32, _ state: ItemState, _ view: borrowing Moment.View, _ log: EventLog,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [[ColumnValue]] {
    let catalog = view.generation.catalog
    let rules = try rules(of: state.domain, catalog, txn)
    var values = rules.map { $0?.fallback ?? [] }
    let map = try catalog.encodedAttributes(
      of: item, state.content, domain: state.domain, at: view.clock, by: view.lens, log: log,
      in: txn)
    var cursor = AttributeCursor(map, map.indices)
    while let (key, layout) = cursor.next() {
      for (place, column) in columns.enumerated() {
        guard key.count == column.key.utf8.count, let rule = rules[place], layout != .null,
          map[key].elementsEqual(column.key.utf8)
        else { continue }
        values[place] = rule.values(try AttributeValue(layout, map)) ?? []
      }
    }
    return values
  }

  private mutating func rules(
    of domain: UInt32, _ catalog: Catalog, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [ColumnRule?] {
    if let known = rules[domain] { return known }
    let effective = schema.effective(try catalog.domainText(domain, in: txn) ?? "")
    let found = columns.map { key, declaration in
      ColumnRule(key, declaration.type, isMulti: declaration.isMulti, effective)
    }
    rules[domain] = found
    return found
  }
}
