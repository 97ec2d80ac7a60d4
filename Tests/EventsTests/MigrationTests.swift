import Events
import Foundation
import Migrations
import TestSupport
import Testing

@Suite struct `The migrations` {
  @Test func `are linear: each begins where the one before it ends, up to the current shape`() {
    var schema: UInt16 = 1
    for upcaster in Migrations.upcasters {
      #expect(upcaster.from == schema)
      schema += 1
    }
    #expect(schema == EventSchema.current)
  }

  @Test func `are numbered without gaps, and each has its file and its golden file`() throws {
    let names = Migrations.steps.map { $0.id.description }
    let upcasters = Migrations.steps.filter { $0.kind == .upcaster }.map { $0.id.description }
    #expect(upcasters == Migrations.upcasters.map { $0.name.description })
    for (index, name) in names.enumerated() { #expect(Int(name.prefix(4)) == index + 1) }
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.root.appending(path: "Migrations").path)
    let numbered = sources.filter { $0.first?.isNumber ?? false }.sorted()
    #expect(numbered == names.map { $0 + ".swift" })
    for step in Migrations.steps {
      #expect(!step.what.description.isEmpty && !step.why.description.isEmpty, "\(step.id)")
      #expect((step.kind == .format) == (step.logFormat != nil), "\(step.id)")
    }
  }

  @Test func `accept what was erased`() throws {
    for upcaster in Migrations.upcasters { #expect(try upcaster.upcast(nil) == nil) }
    for schema in 1...EventSchema.current {
      #expect(try Migrations.chain.upcast(nil, kind: .index, schema: schema) == nil)
    }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func `change nothing a second time, and keep payloads canonical`(_ seed: UInt64) throws {
    var random = RandomEvents(seed: seed)
    for round in 0..<80 {
      var event = random.event()
      if event.kind == .index || event.kind == .update {
        event.attributes["keywords"] = .string(random.text(0...20))
      }
      let payload = try event.encoded().payload
      for upcaster in Migrations.upcasters {
        let once = try upcaster.upcast(payload)
        #expect(try upcaster.upcast(once) == once, "seed \(seed), round \(round)")
        #expect(throws: Never.self, "seed \(seed), round \(round)") {
          try Event(once ?? [], kind: event.kind)
        }
      }
    }
  }

  @Test func `leave current payloads alone and bring old ones up`() throws {
    let line = #"{"kind":"index","item":"x","attributes":{"keywords":"a,b"}}"#
    let current = try EventLine.parse(Array(line.utf8))
    #expect(
      try Migrations.chain.upcast(current.payload, kind: .index, schema: current.schema)
        == current.payload)
    let old = try Migrations.chain.upcast(current.payload, kind: .index, schema: 1)
    let event = try Event(try #require(old), kind: .index)
    #expect(event.attributes["keywords"] == .array([.string("a"), .string("b")]))
  }

  @Test func `refuse payloads that do not decode`() {
    for payload in [[], [0xff], [0xa1], [0xa1, 0x04, 0xa0], [0x00]] as [[UInt8]] {
      expectError(.corrupt) {
        try Migrations.chain.upcast(payload, kind: .index, schema: 1)
      }
    }
  }
}
