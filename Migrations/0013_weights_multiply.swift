/// Text index 13, checkpoint 7: a declared weight multiplies what its field gives a score.
package enum WeightsMultiply {
  package static let step = MigrationStep(
    id: "0013_weights_multiply", kind: .projection, since: "0.3.0",
    what:
      "A field counts as often as its schema says: documents keep the weights of their fields.",
    why:
      "A weight chose the nearest of four classes: 0.01 was as good as 1, and 100 as 5.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.5/log.store", "Migrations/Stores/0.2.5/view.store",
      "Migrations/Stores/0.2.5/answers.json", "Migrations/Stores/0.2.5/after.json",
    ])
}
