import Foundation
import TestSupport
import Testing

/// What the formatter and the compiler cannot hold: sizes, words, layers.
@Suite struct HouseRules {
  static let ours = ["Sources", "Migrations"]

  @Test func `a source file has at most 600 lines and a test file at most 800`() throws {
    for (folders, cap) in [(Self.ours, 600), (["Tests"], 800)] {
      for file in try Checkout.files(in: folders) where file.lines.count > cap {
        Issue.record("\(file.path) has \(file.lines.count) lines: split it by capability")
      }
    }
  }

  @Test func `a folder holds at most 20 source files`() throws {
    let files = try Checkout.files(in: Self.ours + ["Tests"])
    let folders = Dictionary(grouping: files) { $0.path.split(separator: "/").dropLast() }
    for (folder, files) in folders where files.count > 20 {
      Issue.record("\(folder.joined(separator: "/")) holds \(files.count) files: make rooms in it")
    }
  }

  @Test func `a function has at most 60 lines`() throws {
    for file in try Checkout.files(in: Self.ours) {
      for function in file.functions() where function.length > 60 {
        Issue.record("\(file.path):\(function.line) is \(function.length) lines long")
      }
    }
  }

  @Test(arguments: [
    ("try!", "handle the error or say why it cannot happen with a precondition"),
    ("fatalError(", "data never traps; programmer errors are preconditions"),
    ("as!", "use a conditional cast"), (".only", "a focus marker was left behind"),
    ("import XCTest", "the suite is Swift Testing"),
  ]) func `no source holds a banned word`(word: String, instead: String) throws {
    for file in try Checkout.files(in: Self.ours) {
      for line in file.codeLines(where: { $0.contains(word) }) {
        Issue.record("\(file.path):\(line) says \(word): \(instead)")
      }
    }
  }

  @Test func `only programs name commands in their messages`() throws {
    let programs: Set = ["CairnCommand", "CairnServer", "CairnBench", "Examples"]
    for file in try Checkout.files(in: Self.ours) where !programs.contains(file.target) {
      for line in file.codeLines(where: { $0.contains(": cairn ") || $0.contains("`cairn ") }) {
        Issue.record("\(file.path):\(line) names a command: give the error a remedy")
      }
    }
  }

  @Test func `a comment has at most 100 columns`() throws {
    for file in try Checkout.files(in: Self.ours + ["Tests"]) {
      for (index, line) in file.lines.enumerated() where line.count > 100 {
        guard line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
        Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
      }
    }
  }

  @Test func `an error that is dropped has its reason beside it`() throws {
    for file in try Checkout.files(in: Self.ours) {
      for line in file.codeLines(where: { $0.contains(" try? ") || $0.contains("(try? ") }) {
        let near = file.lines[max(0, line - 5)..<line]
        if !near.contains(where: { $0.contains("//") }) {
          Issue.record("\(file.path):\(line) drops an error: say why, or throw it")
        }
      }
    }
  }

  @Test func `nothing is left to be done later in a comment`() throws {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    for file in try Checkout.files(in: Self.ours + ["Tests"]) {
      for (index, line) in file.lines.enumerated() {
        let words = line.split { !$0.isLetter && $0 != ":" }
        for mark in marks where words.contains(where: { $0.hasPrefix(mark) }) {
          Issue.record("\(file.path):\(index + 1) says \(mark): do it or write an issue")
        }
      }
    }
  }

  @Test func `only programs print`() throws {
    let printing: Set = ["CairnCommand", "CairnBench", "Examples"]
    for file in try Checkout.files(in: Self.ours) where !printing.contains(file.target) {
      for line in file.codeLines(where: { Self.calls("print", in: $0) }) {
        Issue.record("\(file.path):\(line) prints: give the caller a value instead")
      }
    }
  }

  @Test func `Foundation stays with Apple's interfaces, for the start-up time`() throws {
    let apple: Set = ["CoreSpotlight", "UniformTypeIdentifiers", "OSLog", "CairnBench"]
    for file in try Checkout.files(in: Self.ours) where !apple.contains(file.target) {
      // Date, URL and LocalizedError are in FoundationEssentials, which the parser of arguments
      // brings along anyway.
      if file.path.contains("Cairn/SwiftValues/") { continue }
      for line in file.codeLines(where: { $0.contains("import Foundation") }) {
        Issue.record("\(file.path):\(line) imports Foundation")
      }
    }
  }

  @Test func `an unchecked Sendable has its reason beside it`() throws {
    for file in try Checkout.files(in: Self.ours) {
      for line in file.codeLines(where: { $0.contains("@unchecked Sendable") })
      where !file.hasComment(at: line) {
        Issue.record("\(file.path):\(line) needs a comment that says why it is safe")
      }
    }
  }

  @Test func `no file is called after nothing in particular`() throws {
    for file in try Checkout.files(in: Self.ours + ["Tests"]) {
      let name = file.path.split(separator: "/").last ?? ""
      for vague in ["Utils", "Helpers", "Manager", "Misc", "Common"] where name.contains(vague) {
        Issue.record("\(file.path): name the capability")
      }
    }
  }

  @Test func `the top level shows the house and nothing else`() throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "Migrations", "README.md",
      "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "Tools",
    ]
    let names = try FileManager.default.contentsOfDirectory(atPath: Checkout.root.path)
    for name in names where !name.hasPrefix(".") && !allowed.contains(name) {
      Issue.record("\(name) does not belong to the top level")
    }
  }

  private static func calls(_ name: String, in code: Substring) -> Bool {
    var rest = code
    while let range = rest.firstRange(of: "\(name)(") {
      let before =
        range.lowerBound > code.startIndex ? code[code.index(before: range.lowerBound)] : " "
      if !before.isLetter && !before.isNumber && before != "_" && before != "." && before != "`" {
        return true
      }
      rest = rest[range.upperBound...]
    }
    return false
  }
}
