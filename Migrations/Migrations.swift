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

  /// The upcasters among them.
  package static let upcasters: [any Upcaster] = [KeywordsBecomeArrays()]

  /// What readers bring stored payloads up with.
  package static let chain = UpcasterChain(upcasters)
}
