/// Text index 12, columns 2, checkpoint 6: what a part told goes when the part expires.
package enum PartsEnd {
  package static let step = MigrationStep(
    id: "0011_parts_end", kind: .projection, since: "0.3.0",
    what:
      "An item that shows a part which expires first has two texts: with the part and without it.",
    why:
      "What an expired activity or item had told was shown and found as long as the item lived.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.3/log.store", "Migrations/Stores/0.2.3/view.store",
      "Migrations/Stores/0.2.3/answers.json", "Migrations/Stores/0.2.3/after.json",
    ])
}
