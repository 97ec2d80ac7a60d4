import Events
import Migrations
import Testing

@Suite struct `The golden files` {
  @Test func `hold what lines become, byte for byte, and what they look like again`() throws {
    let file = try GoldenFile("payloads-schema-2.txt")
    #expect(file.vectors.count >= 15)
    for vector in file.vectors {
      let line = try #require(vector.fields["line"])
      let payload = try #require(vector.bytes("payload"))
      let event = try EventLine.parse(Array(line.utf8))
      #expect(event.payload == payload, "\(vector)")

      var json: [UInt8] = []
      try EventJSON.append(event, to: &json)
      #expect(String(decoding: json, as: UTF8.self) == vector.fields["json"], "\(vector)")

      let model = try Event(
        payload, kind: event.kind, id: event.id, recorded: event.recorded, schema: event.schema)
      #expect(try model.encoded() == event, "\(vector)")
      #expect(
        try EventLine.parse(json).hasSameContent(as: event, upcasting: Migrations.chain),
        "\(vector)")
    }
  }

  @Test func `hold what each migration makes of payloads`() throws {
    for upcaster in Migrations.upcasters {
      let file = try GoldenFile("\(upcaster.name).txt")
      #expect(!file.vectors.isEmpty)
      for vector in file.vectors {
        // `erased` is no hexadecimal and reads as nil, which is what erased payloads are.
        let before = vector.bytes("before")
        let after = vector.bytes("after")
        #expect((before == nil) == (vector.fields["before"] == "erased"), "\(vector)")
        #expect(try upcaster.upcast(before) == after, "\(vector)")
        if let after { #expect(throws: Never.self) { try EventLayout(after) } }
      }
    }
  }
}
