/// Catalog 2 and timeline 4: counts of items and events stand beside the rows.
package enum CountsAreKept {
  package static let step = MigrationStep(
    id: "0005_counts_are_kept", kind: .projection, since: "0.2.0",
    what: "The catalog keeps how many items a domain has, the timeline how many events of a kind.",
    why: "Statistics of the present read every item and event; now they read the counts.",
    isReversible: false,
    lost: [],
    fixtures: ["Migrations/Stores/0.2.0/view.store", "Migrations/Stores/0.2.0/answers.json"])
}
