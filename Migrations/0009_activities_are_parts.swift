/// Catalog 5: what an application's front end remembers of an activity is a part of the item it is
/// about.
package enum ActivitiesAreParts {
  package static let step = MigrationStep(
    id: "0009_activities_are_parts", kind: .projection, since: "0.3.0",
    what:
      "An activity that an app's front end remembers is a part of the item that it is about.",
    why:
      "The command gave two results, the item and the activity, where CoreSpotlight gives one.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.1/log.store", "Migrations/Stores/0.2.1/view.store",
      "Migrations/Stores/0.2.1/answers.json", "Migrations/Stores/0.2.1/after.json",
    ])
}
