import Foundation
import TestSupport
import Testing

/// The programs in the README and in the first pages of the reference, exactly as printed: they
/// compile with warnings as errors and print what stands below them.
@Suite struct ReadmeTests {
  /// A program, and the block without a language that follows it: what it prints.
  struct Printed: Sendable, CustomTestStringConvertible {
    var page: String
    var program: String
    var output: String

    var testDescription: String { "\(page): \(program.split(separator: "\n").first ?? "")" }
  }

  private static let pages = [
    "README.md", "Sources/Cairn/Cairn.docc/FirstSteps.md", "Sources/Cairn/Cairn.docc/HowTo.md",
    "Sources/CoreSpotlight/CoreSpotlight.docc/CoreSpotlight.md",
  ]

  static let programs: [Printed] = pages.flatMap { page in
    let path = Checkout.root.appending(path: page)
    return printed(in: (try? String(contentsOf: path, encoding: .utf8)) ?? "", page)
  }

  private static func printed(in text: String, _ page: String) -> [Printed] {
    var found: [Printed] = []
    var fence: Substring?
    var block = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        if fence != nil { block += line + "\n" }
        continue
      }
      if fence == nil {
        fence = line.dropFirst(3)
      } else {
        if fence == "swift", block.contains("@main") {
          found.append(Printed(page: page, program: block, output: ""))
        } else if fence == "", let last = found.indices.last, found[last].output.isEmpty {
          found[last].output = block
        }
        fence = nil
      }
      block = ""
    }
    return found
  }

  @Test(
    .enabled(if: SourceProgram.products != nil, "needs the modules of the build"),
    .timeLimit(.minutes(5)), arguments: programs)
  func `a printed program compiles and does what it says`(printed: Printed) throws {
    let program = try SourceProgram(printed.program)
    defer { program.remove() }
    let compiled = try program.compile(language: "6", options: ["-warnings-as-errors"])
    try #require(compiled.status == 0, "\(compiled.output)")
    let ran = try program.run()
    #expect(ran.output == printed.output)
    #expect(ran.status == 0)
  }

  @Test func `every page has its program`() {
    #expect(Set(Self.programs.map(\.page)) == Set(Self.pages))
    #expect(Self.programs.count >= 10)
  }
}
