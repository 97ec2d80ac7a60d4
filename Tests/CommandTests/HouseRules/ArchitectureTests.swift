import Foundation
import TestSupport
import Testing

/// The article's table of targets is the manifest's.
@Suite struct ArchitectureTests {
  @Test func `the article names every target with what it imports`() throws {
    let manifest = try text("Package.swift")
    let article = try text("Sources/Cairn/Cairn.docc/Architecture.md")
    var shown: [String: [String]] = [:]
    for line in article.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|")
      let names = cells.map { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
      if cells.count == 2, let target = names[0].first { shown[target] = names[1] }
    }
    let declared = try Self.targets(of: manifest)
    #expect(declared.count > 20)
    for (target, imports) in declared {
      #expect(shown[target] == imports, "\(target): renew the table of Architecture.md")
    }
    #expect(Set(shown.keys) == Set(declared.keys))
    let places = try Self.places(in: text("CONTRIBUTING.md"))
    for (target, imports) in declared {
      let place = try #require(places[target], "\(target): add it to the table of CONTRIBUTING.md")
      for used in imports.compactMap({ places[$0] }) {
        #expect(used < place, "\(target) stands before what it uses in CONTRIBUTING.md")
      }
    }
  }

  @Test func `the article of errors has every code`() throws {
    let declared = try text("Sources/Values/Errors/CairnError.swift")
    let article = try text("Sources/Cairn/Cairn.docc/Errors.md")
    let codes = declared.matches(of: /static let `?(\w+)`? = Code\(/).map { String($0.1) }
    #expect(codes.count > 15)
    for code in codes { #expect(article.contains("`\(code)`"), "\(code): add it to Errors.md") }
  }

  @Test func `the article of processes names every thread`() throws {
    let article = try text("Sources/Cairn/Cairn.docc/Processes.md")
    var names: Set<String> = []
    for file in try Checkout.files(in: ["Sources"]) where file.target != "CairnBench" {
      for line in file.lines {
        names.formUnion(line.matches(of: /WriterThread\(name: "([^"]+)"/).map { String($0.1) })
      }
    }
    #expect(names.count > 15)
    for name in names { #expect(article.contains("`\(name)`"), "\(name): add it to Processes.md") }
    for told in article.matches(of: /`(cairn-[a-z-]+)`/).map({ String($0.1) }) {
      #expect(names.contains(told), "\(told) is no thread: take it out of Processes.md")
    }
  }

  @Test func `the articles on formats and search name every table`() throws {
    let articles = try ["Format", "Search"].map { try text("Sources/Cairn/Cairn.docc/\($0).md") }
    var names: Set<String> = []
    for file in try Checkout.files(in: ["Sources"]) {
      for line in file.lines {
        names.formUnion(line.matches(of: /TableName = "([a-z-]+)"/).map { String($0.1) })
      }
    }
    #expect(names.count > 30)
    for name in names {
      #expect(articles.contains { $0.contains("`\(name)`") }, "\(name): add it to Format.md")
    }
  }

  @Test func `a decision has a number of its own`() throws {
    let article = try text("Sources/Cairn/Cairn.docc/Decisions.md")
    let numbers = article.matches(of: #/(?m)^\*\*D(\d+)\. /#).map(\.1)
    #expect(numbers.count > 60)
    for (number, uses) in Dictionary(grouping: numbers, by: \.self) where uses.count > 1 {
      Issue.record("\(uses.count) decisions are called D\(number)")
    }
  }

  /// Where each target stands in the guide's table.
  private static func places(in guide: String) -> [String: Int] {
    let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let names = rows.flatMap { row in
      row.dropFirst().prefix { $0 != "|" }.matches(of: /`(\w+)`/).map { String($0.1) }
    }
    return Dictionary(zip(names, names.indices)) { first, _ in first }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
  }

  /// Targets under `Sources` and `Migrations` with their dependencies, in the manifest's order.
  private static func targets(of manifest: String) throws -> [String: [String]] {
    var products: [String: String] = [:]
    let product = /let (\w+) = Target\.Dependency\.product\(\s*name: "(\w+)"/
    for match in manifest.matches(of: product) { products[String(match.1)] = String(match.2) }
    let starts = manifest.matches(
      of: /\.(target|executableTarget|systemLibrary|testTarget)\(\s*name: "(\w+)"/)
    var targets: [String: [String]] = [:]
    for (index, start) in starts.enumerated() where start.1 != "testTarget" {
      let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : manifest.endIndex
      let rest = manifest[start.range.upperBound..<end]
      guard !rest.contains("path: \"Tests") else { continue }
      let list = rest.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
      targets[String(start.2)] = list.matches(of: /"(\w+)"|(\w+)/).compactMap { name in
        name.1.map(String.init) ?? name.2.flatMap { products[String($0)] }
      }
    }
    return targets
  }
}
