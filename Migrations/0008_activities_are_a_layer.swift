/// Catalog 4: what a view told of an item is kept beneath what an app indexed; items that one page
/// is about are one.
package enum ActivitiesAreALayer {
  package static let step = MigrationStep(
    id: "0008_activities_are_a_layer", kind: .projection, since: "0.3.0",
    what:
      "Items keep what an activity told beneath the app's, and may be parts of one by a web page.",
    why:
      "A page that only an activity named, by its webpageURL, stayed a second result.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.1/log.store", "Migrations/Stores/0.2.1/view.store",
      "Migrations/Stores/0.2.1/answers.json", "Migrations/Stores/0.2.1/after.json",
    ])
}
