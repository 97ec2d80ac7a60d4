import ArgumentParser

@main
struct CairnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "cairn")
}
