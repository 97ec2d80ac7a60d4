import Foundation
import Importers
import TestSupport
import Testing

/// The fuzzer's entry points on mutated examples, so that they stay whole between fuzzings.
@Suite struct `Decoders` {
  /// `DECODER_ROUNDS` makes it longer.
  private static let rounds =
    ProcessInfo.processInfo.environment["DECODER_ROUNDS"].flatMap { Int($0) } ?? 1_500

  @Test(arguments: Decoder.allCases) func `take their own examples`(decoder: Decoder) throws {
    let examples = try decoder.examples()
    #expect(examples.count >= 4)
    for example in examples { try decoder.run(example) }
    try decoder.run([])
  }

  @Test(arguments: Decoder.allCases, [UInt64(1), 2])
  func `take or refuse damaged examples, and never trap`(decoder: Decoder, seed: UInt64) throws {
    var mutator = Mutator(seed: seed, examples: try decoder.examples())
    for round in 0..<Self.rounds {
      let bytes = mutator.next()
      do { try decoder.run(bytes) } catch {
        Issue.record("seed \(seed), round \(round): \(error): \(bytes)")
      }
    }
  }

  /// What fuzzing found once: `Findings/DECODER-…` and `Findings/history-FORMAT-…` hold it for
  /// ever.
  @Test func `take or refuse what was once found`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Findings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() {
      let file = try Data(contentsOf: folder.appending(path: name))
      if name.hasPrefix("history-") {
        let reader = ImporterDecoders.formats.filter { name.hasPrefix("history-\($0.name)-") }
          .max { $0.name.count < $1.name.count }
        let format = try #require(reader, "\(name)")
        #expect(throws: Never.self, "\(name)") {
          try ImporterDecoders.file(Array(file), as: format)
        }
        continue
      }
      let decoder = try #require(
        name.split(separator: "-").first.flatMap { Decoder(rawValue: String($0)) })
      #expect(throws: Never.self, "\(name)") { try decoder.run(Array(file)) }
    }
  }
}

/// Seeded damage to examples: flips, cuts, doublings, numbers at their ends, parts of others.
struct Mutator {
  private var generator: SeededGenerator
  private let examples: [[UInt8]]

  init(seed: UInt64, examples: [[UInt8]]) {
    generator = SeededGenerator(seed: seed)
    self.examples = examples
  }

  private mutating func random(below bound: Int) -> Int {
    Int(generator.next() % UInt64(max(1, bound)))
  }

  mutating func next() -> [UInt8] {
    var bytes = examples[random(below: examples.count)]
    for _ in 0...random(below: 4) {
      let place = random(below: bytes.count + 1)
      switch random(below: 7) {
      case 0: bytes.removeSubrange(place...)
      case 1: if place < bytes.count { bytes.remove(at: place) }
      case 2: bytes.insert(UInt8(random(below: 256)), at: place)
      case 3:
        let end = min(bytes.count, place + random(below: 24))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 4:
        let other = examples[random(below: examples.count)]
        bytes.replaceSubrange(place..., with: other.suffix(random(below: other.count)))
      case 5:
        let extreme: UInt8 = [0, 0x7F, 0x80, 0xFF][random(below: 4)]
        for offset in place..<min(bytes.count, place + 1 + random(below: 10)) {
          bytes[offset] = extreme
        }
      default: if place < bytes.count { bytes[place] ^= UInt8(1 << random(below: 8)) }
      }
    }
    return bytes
  }
}
