import Foundation
import Testing

@testable import Importers

/// What is looked for on a machine.
@Suite struct FindingTests {
  @Test func `a pipe is no history, and nobody waits for one`() throws {
    let path = try MadeFile.file(".bash_history", Data())
    try MadeFile.shell("rm '\(path)' && mkfifo '\(path)'")
    let home = String(path.dropLast("/.bash_history".count))
    try #require(HistoryPlaces.find(home: home, root: nil, shellHistory: path).isEmpty)
    let content = HistoryPlaces.look(in: home, archives: true, options: ImportedHistory.options)
    #expect(content.found.isEmpty && content.pages.isEmpty)
  }
}
