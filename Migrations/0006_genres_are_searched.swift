/// Texts under `genre`, `publishers` and `organizations` are found, as keywords.
package enum GenresAreSearched {
  package static let step = MigrationStep(
    id: "0006_genres_are_searched", kind: .projection, since: "0.3.0",
    what:
      "Searches find genre, publishers and organizations, with the weight of keywords.",
    why:
      "Web pages, books and music are told apart by them, and who typed one found nothing.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.1/log.store", "Migrations/Stores/0.2.1/view.store",
      "Migrations/Stores/0.2.1/answers.json", "Migrations/Stores/0.2.1/after.json",
    ])
}
