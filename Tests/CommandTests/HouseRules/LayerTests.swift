import Testing

/// Imports point one way: from what people use down to the storage.
@Suite struct HouseRulesLayers {
  static let system: Set = ["Glibc", "Synchronization", "Builtin", "Swift", "_Concurrency"]

  static let mayImport: [String: Set<String>] = [
    "LMDB": ["CLMDB"],
    "Events": [],
    "HashTree": ["CSHA256", "Crypto"],
    "EventLog": ["LMDB", "Events", "HashTree", "Crypto"],
    "Migrations": ["Events"],
    "Text": ["CICU", "CStemmer"],
    "Query": [],
    "Projections": ["EventLog", "Events", "LMDB", "HashTree", "Crypto"],
    "Catalog": ["Projections", "EventLog", "Events", "LMDB"],
    "TextIndex": ["Projections", "EventLog", "Events", "Text", "LMDB"],
    "Ranking": ["Projections", "EventLog", "Events", "LMDB"],
    "Timeline": ["Projections", "EventLog", "Events", "LMDB"],
    "Cairn": [
      "LMDB", "Events", "HashTree", "EventLog", "Migrations", "Text", "Query", "Projections",
      "Catalog", "TextIndex", "Ranking", "Timeline",
    ],
    "UniformTypeIdentifiers": ["Foundation"],
    "MobileCoreServices": [],
    "Examples": ["CoreSpotlight"],
    "CoreSpotlight": ["Cairn", "Foundation", "UniformTypeIdentifiers"],
    "CairnCommand": ["Cairn", "ArgumentParser", "Crypto"],
    "CairnBench": [
      "Cairn", "CoreSpotlight", "Crypto", "EventLog", "Events", "Foundation", "LMDB", "Text",
      "TextIndex",
    ],
  ]

  @Test func `a target imports only what stands below it`() throws {
    for file in try Checkout.files(in: HouseRules.ours) {
      guard let allowed = Self.mayImport[file.target] else {
        Issue.record("\(file.path): target \(file.target) is not in the table of layers")
        continue
      }
      for line in file.codeLines(where: { Self.module(importedBy: $0) != nil }) {
        let module = Self.module(importedBy: file.lines[line - 1]) ?? ""
        if !allowed.contains(module) && !Self.system.contains(module) {
          Issue.record("\(file.path):\(line) imports \(module), which is not below \(file.target)")
        }
      }
    }
  }

  @Test(arguments: [
    ("import LMDB", "LMDB"), ("package import Events", "Events"),
    ("@preconcurrency import Glibc", "Glibc"), ("public import struct Cairn.Event", "Cairn"),
    ("let important = 1", nil), ("  // import LMDB", nil),
  ])
  func `an import is recognised with and without its modifiers`(line: String, module: String?) {
    #expect(Self.module(importedBy: line[...]) == module)
  }

  private static func module(importedBy line: Substring) -> String? {
    var words = line.split(separator: " ")
    while let first = words.first, first != "import" {
      guard first.hasPrefix("@") || ["public", "package", "internal", "private"].contains(first)
      else { return nil }
      words.removeFirst()
    }
    guard words.count >= 2 else { return nil }
    words.removeFirst()
    if ["struct", "class", "enum", "func", "let", "var", "protocol", "typealias"].contains(words[0])
    {
      words.removeFirst()
    }
    return words.first?.split(separator: ".").first.map(String.init)
  }
}
