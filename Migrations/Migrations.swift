package import Events

/// Every change of a stored shape, oldest first.
package enum Migrations {
  /// The steps in order.
  ///
  /// New ones go to the end; none is ever changed or removed.
  package static let steps: [MigrationStep] = [
    KeywordsBecomeArrays.step,
    HeadersThatConfirmNothing.step,
    ProjectionsBoundToTheirLog.step,
    DigestsByName.step,
    CountsAreKept.step,
    GenresAreSearched.step,
    LettersAsTheyAreTyped.step,
    ActivitiesAreALayer.step,
    ActivitiesAreParts.step,
    RowsStandTogether.step,
    PartsEnd.step,
    PartsKeepTheirKind.step,
    WeightsMultiply.step,
  ]

  /// The steps that brought each format of the checkpoint, the one that rows of projections tell.
  ///
  /// Who raises it adds a row.
  package static let checkpoints: [(format: UInt8, step: MigrationStep)] = [
    (2, ProjectionsBoundToTheirLog.step),
    (3, DigestsByName.step),
    (4, ActivitiesAreALayer.step),
    (5, RowsStandTogether.step),
    (6, PartsEnd.step),
    (7, WeightsMultiply.step),
  ]

  /// The steps of projections that rows of before today lack, by the format of their checkpoint.
  ///
  /// Where steps after one format have no own, all of them; never none, since something has to make
  /// the rows anew.
  package static func projectionSteps(after format: UInt8) -> [MigrationStep] {
    let done = checkpoints.last { $0.format <= format }?.step.id.description ?? ""
    let all = steps.filter { $0.kind == .projection }
    let lacking = all.filter { done < $0.id.description }
    return lacking.isEmpty ? all.suffix(1) : lacking
  }

  /// The upcasters among them.
  package static let upcasters: [any Upcaster] = [KeywordsBecomeArrays()]

  /// What readers bring stored payloads up with.
  package static let chain = UpcasterChain(upcasters)
}
