/// Checkpoint 2: rows say which log they were made of.
package enum ProjectionsBoundToTheirLog {
  package static let step = MigrationStep(
    id: "0003_projections_bound_to_their_log", kind: .projection, since: "0.2.0",
    what: "The checkpoint of the projections holds the root of the log and its last erasure.",
    why: "Projections that were put back, swapped or cut answered from another history.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.1.0/view.store", "Migrations/Stores/0.1.0/answers.json",
      "Migrations/Stores/0.2.0/view.store", "Migrations/Stores/0.2.0/answers.json",
    ])
}
