/// Six more letters are found as people type them: ə, ǝ and ɛ as e, ɔ as o, ʋ as v, ɩ as i.
package enum LettersAsTheyAreTyped {
  package static let step = MigrationStep(
    id: "0007_letters_as_they_are_typed", kind: .projection, since: "0.3.0",
    what:
      "Words with the letters ə, ǝ, ɛ, ɔ, ʋ and ɩ are also found as words with e, o, v and i.",
    why:
      "Azerbaijani, Akan, Ewe, Bambara and others have them, and most keyboards have not.",
    isReversible: false,
    lost: [],
    fixtures: [
      "Migrations/Stores/0.2.1/log.store", "Migrations/Stores/0.2.1/view.store",
      "Migrations/Stores/0.2.1/answers.json", "Migrations/Stores/0.2.1/after.json",
    ])
}
