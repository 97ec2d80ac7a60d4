import Foundation
import Testing

/// A made-up home in which forty-eight programs kept their histories, each in its own format.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct HomeImportTests {
  /// `make home` does the same with two million events.
  @Test func `all sources of a machine are one history`() throws {
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let program = checkout.appending(path: "Tools/home/check.py").standardizedFileURL.path
    let checked = try Shell.run(
      "python3", "-B", program, Store.binary, Scratch.path("home"), "--events", "4000")
    #expect(checked.status == 0, "\(checked.text)\(checked.errors)")
  }
}
