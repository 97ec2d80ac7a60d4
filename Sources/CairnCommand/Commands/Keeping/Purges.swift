import ArgumentParser
import Cairn
import Rows

struct Purges: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purges", abstract: "Tell other copies of a store what was purged.",
    discussion: """
      A backup made before a purge still holds what was purged. Keep the newest list beside the \
      backups: cairn restore DIR --into DIR --purges FILE purges it again.
      """, subcommands: [ExportList.self])

  struct ExportList: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write the list of what was purged; it names nothing.",
      discussion:
        "Sequences and salted hashes of the erased events: their content cannot be guessed.")

    @Argument(help: "The file; - is standard output.", completion: .file()) var file = "-"

    @OptionGroup var options: StoreOptions

    func run() throws(Failure) {
      let store = try options.openForReading()
      let list = try answering { () throws(CairnError) in try store.purgeList() }
      if file == "-" { return try EvidenceText.print(list.encoded) }
      try EvidenceText.write(list.encoded, to: file)
      var output = Output()
      if options.json {
        try output.object { line in
          line.field("size", list.size)
          line.field("entries", list.entries.count)
        }
      } else {
        try output.line(
          "\(Readable.count(list.entries.count, "purged event")) of "
            + "\(Readable.number(list.size)) listed; they name nothing")
      }
      try output.flush()
    }
  }
}
