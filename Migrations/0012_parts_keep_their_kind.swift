/// Catalog 7: what a part of an item is goes by the event that gave it, and its deletion belongs to
/// its domain.
package enum PartsKeepTheirKind {
  package static let step = MigrationStep(
    id: "0012_parts_keep_their_kind", kind: .projection, since: "0.3.0",
    what:
      "A part by an activity stays below parts by apps; the deletion of a part is of its domain.",
    why:
      "A later activity changed what was shown before it; the domain's log lacked the deletion.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.4/log.store", "Migrations/Stores/0.2.4/view.store",
      "Migrations/Stores/0.2.4/answers.json", "Migrations/Stores/0.2.4/after.json",
    ])
}
