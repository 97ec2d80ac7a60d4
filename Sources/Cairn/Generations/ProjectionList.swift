import Catalog
import Projections
import Ranking
import Timeline

extension Generation {
  /// The projections that fold what the catalog resolves, in the order in which they are reported.
  ///
  /// They are folded in the opposite order: the text index, part of whose work a second thread does
  /// ahead, comes last.
  static let derived: [any DerivedProjection.Type] = [
    TextProjection.self, Ranking.self, Timeline.self, ColumnProjection.self,
  ]

  static let projections: [any Projection.Type] = [Catalog.self] + derived

  static let names = projections.map { $0.name }

  static let tables = [SharedRows.tableName] + projections.flatMap { $0.tables }
}

extension Store {
  /// The names of the projections, in the order in which they are reported.
  package static var projectionNames: [String] { Generation.names.map(\.text) }
}
