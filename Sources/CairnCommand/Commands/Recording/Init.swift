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
    try Self.answer(store.directory, head: head, json: writer.options.json)
  }

  /// What is told of a store that was made, here or from another one.
  static func answer(_ directory: String, head: UInt64, json: Bool) throws(Failure) {
    try Output.answer("\(directory): a store with \(Readable.count(head, "event"))", json: json) {
      line in
      line.field("store", directory)
      line.field("head", head)
    }
  }
}
