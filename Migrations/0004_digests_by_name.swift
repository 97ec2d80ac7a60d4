/// Checkpoint 3, text index 10 and the ranking's constants in its definition.
package enum DigestsByName {
  package static let step = MigrationStep(
    id: "0004_digests_by_name", kind: .projection, since: "0.2.0",
    what: """
      The checkpoint lists digests by the names of projections; the ranking's definition is made of \
      its constants instead of a number (8); the text index has format 10.
      """,
    why:
      "A projection can be added, and a constant changed, without a number that somebody forgets.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.1.0/view.store", "Migrations/Stores/0.1.0/answers.json",
      "Migrations/Stores/0.2.0/view.store", "Migrations/Stores/0.2.0/answers.json",
    ])
}
