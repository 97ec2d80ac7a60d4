/// Catalog 6 and timeline 5: what is small stands together in rows.
package enum RowsStandTogether {
  package static let step = MigrationStep(
    id: "0010_rows_stand_together", kind: .projection, since: "0.3.0",
    what:
      "Identifiers, items of a domain and events stand many to a row, each beside its neighbours.",
    why:
      "A row of its own cost an identifier 24 bytes, a member 20 and an event 40 more than it says.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.2/log.store", "Migrations/Stores/0.2.2/view.store",
      "Migrations/Stores/0.2.2/answers.json",
    ])
}
