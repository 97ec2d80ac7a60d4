import ArgumentParser
import Cairn
import Rows

struct Init: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make an empty store; the first append would make it, too.")

  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    let store = try writer.open()
    defer { store.close() }
    let head = try answering(store.at().sequence)
    try Output.answer(
      "\(store.directory): a store with \(Readable.count(head, "event"))", json: writer.options.json
    ) { line in
      line.field("store", store.directory)
      line.field("head", head)
    }
  }
}
