import Foundation
import TestSupport
import Testing

/// One bit of one file is flipped: it is found and named, or it changes nothing; never a crash,
/// never a wrong answer.
///
/// Short by default; `CAIRN_FLIPS=500` does what the promise says, `CAIRN_SEED` repeats it.
@Suite struct `A flipped bit` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["CAIRN_FLIPS"].flatMap { Int($0) } ?? 16
  private static let seed =
    environment["CAIRN_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...99_999)
  private static let now = "2026-11-21T12:00:00Z"

  private static let questions = [
    ["items", "--json"], ["items", "--as-of", "150", "--json"],
    ["search", "tram", "--json", "--now", now], ["search", "tide", "--as-of", "200", "--json"],
    ["top", "--json", "--now", now], ["log", "--json"], ["snapshot", "list", "--json"],
  ]

  private static func makeStore() throws -> Store {
    let store = Store("flips")
    let words = ["tram", "tide", "harbour", "dusk"]
    var lines = EventLines()
    for number in 0..<300 {
      var event: [String: Any] = ["kind": "view", "item": "item-\(number % 70)"]
      if number % 3 == 0 {
        event["kind"] = "index"
        event["domain"] = "d\(number % 4).x"
        event["attributes"] = [
          "title": "\(words[number % 4]) \(number)",
          "textContent": String(repeating: "\(words[number % 3]) ", count: number),
        ]
      }
      try lines.add(event)
    }
    try store.append(lines.data)
    #expect(try store.run("snapshot", "create", "middle", "--as-of", "150").status == 0)
    return store
  }

  @Test func `is found and named, or changes no answer`() throws {
    let sound = try Self.makeStore()
    let truth = try Self.questions.map { try sound.run($0).text }
    let files = try FileManager.default.contentsOfDirectory(atPath: sound.path).filter {
      let bytes = FileManager.default.contents(atPath: sound.path + "/" + $0)
      return bytes?.isEmpty == false && !$0.hasSuffix("-lock")
    }.sorted()
    #expect(files.count >= 3)
    var random = SeededGenerator(seed: Self.seed)
    var named = 0
    for number in 0..<Self.count {
      let damaged = Scratch.path("flipped")
      try FileManager.default.copyItem(atPath: sound.path, toPath: damaged)
      let file = files[Int.random(in: 0..<files.count, using: &random)]
      let url = URL(filePath: damaged + "/" + file)
      var bytes = try Data(contentsOf: url)
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try bytes.write(to: url)
      let note: Comment = "seed \(Self.seed), flip \(number): byte \(place) of \(file)"
      if try Self.ask(Store(at: damaged), truth, note) { named += 1 }
      try FileManager.default.removeItem(atPath: damaged)
    }
    // Most bytes of a store matter.
    if Self.count >= 100 { #expect(named > Self.count / 4, "seed \(Self.seed)") }
  }

  /// LMDB keeps the names of tables under no checksum; a table that is not found would be made
  /// anew, empty.
  @Test(arguments: [
    ("view-1.mdb", ["ranks", "text-terms", "timeline"]), ("log.mdb", ["events", "ids"]),
  ])
  func `the name of a table is no exception`(file: String, tables: [String]) throws {
    let sound = try Self.makeStore()
    let truth = try Self.questions.map { try sound.run($0).text }
    for table in tables {
      // The length of the name is damaged first, then a letter.
      for offset in [0, 3] {
        let damaged = Scratch.path("renamed")
        try FileManager.default.copyItem(atPath: sound.path, toPath: damaged)
        let url = URL(filePath: damaged + "/" + file)
        var bytes = try Data(contentsOf: url)
        let name = Data([UInt8(table.utf8.count), 0]) + Data(table.utf8)
        var from = bytes.startIndex
        while let place = bytes.range(of: name, in: from..<bytes.endIndex) {
          bytes[place.lowerBound + offset] ^= 1
          from = place.upperBound
        }
        try bytes.write(to: url)
        #expect(from > bytes.startIndex)
        let isFound = try Self.ask(Store(at: damaged), truth, "\(file), \(table), \(offset)")
        #expect(isFound, "\(file), \(table), \(offset)")
        try FileManager.default.removeItem(atPath: damaged)
      }
    }
  }

  /// The only version of item-20, its key damaged but still in order: a search that ends beside it
  /// would take the item for one that is not there.
  @Test func `a key that is still in order is no exception`() throws {
    let sound = try Self.makeStore()
    let truth = try Self.questions.map { try sound.run($0).text }
    let damaged = Scratch.path("rekeyed")
    try FileManager.default.copyItem(atPath: sound.path, toPath: damaged)
    let url = URL(filePath: damaged + "/view-1.mdb")
    var bytes = try Data(contentsOf: url)
    // The item's number, then the inverted sequence of its event, 91.
    let key: [UInt8] = [0, 0, 0, 20] + [UInt8](repeating: 0xFF, count: 7) + [~91]
    var from = bytes.startIndex
    while let place = bytes.range(of: Data(key), in: from..<bytes.endIndex) {
      bytes[place.lowerBound + 4] ^= 0x80
      from = place.upperBound
    }
    #expect(from > bytes.startIndex)
    try bytes.write(to: url)
    #expect(try Self.ask(Store(at: damaged), truth, "a key of the catalog"))
  }

  /// Whether `verify` found the damage.
  private static func ask(_ store: Store, _ truth: [String], _ note: Comment) throws -> Bool {
    let verified = try store.run("verify", "--json")
    #expect(verified.signal == 0 && [0, 1].contains(verified.status), note)
    if verified.status == 1 { #expect(verified.errors.contains("cairn: "), note) }
    for (question, answer) in zip(questions, truth) {
      let result = try store.run(question)
      #expect(result.signal == 0, note)
      if result.status == 0 {
        #expect(result.text == answer, "\(note.rawValue): \(question)")
      } else {
        #expect([1, 66, 74].contains(result.status), "\(note.rawValue): \(question)")
        #expect(verified.status == 1, "\(note.rawValue): \(question): \(result.errors)")
      }
    }
    return verified.status == 1
  }
}
