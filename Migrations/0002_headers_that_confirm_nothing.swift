/// Log format 2: an event's header is a sequence and a commitment.
package enum HeadersThatConfirmNothing {
  package static let step = MigrationStep(
    id: "0002_headers_that_confirm_nothing", kind: .format, since: "0.2.0",
    what: """
      Headers of new events have 48 bytes and name no id, hour or kind; those of format 1 stay, with \
      every root and proof.
      """,
    why: "The leaf of an erased event stays for ever, so it must not tell what the event was.",
    isReversible: false,
    lost: ["programs that know log format 1 alone refuse the store from the next event on"],
    logFormat: 2,
    fixtures: [
      "Tests/EventLogTests/Golden/format-1.store", "Tests/EventLogTests/Golden/format-2.store",
      "Migrations/Stores/0.1.0/log.store", "Migrations/Stores/0.1.0/answers.json",
      "Migrations/Stores/0.2.0/log.store", "Migrations/Stores/0.2.0/answers.json",
    ])
}
