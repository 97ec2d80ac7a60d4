import Events
import Foundation
import TestSupport
import Testing

@Suite struct `A text` {
  @Test(.enabled(if: SharedData.has("bad-input"), "needs ../shared/data/bad-input"))
  func `comes back byte for byte as item, title, domain, query and unknown value`() throws {
    let naughty = try SharedData.json("bad-input/blns/blns.json", as: [String].self)
    #expect(naughty.count >= 515)
    for (number, text) in naughty.enumerated() {
      var quoted: [UInt8] = []
      JSONText.append(text, to: &quoted)
      // Another writer, which escapes more than it must.
      let foreign = Array(try JSONEncoder().encode(text))
      for literal in [quoted, foreign] { try check(text, literal, number) }
    }
  }

  /// The line as another reader sees it.
  private struct Line: Decodable {
    struct Value: Decodable {
      var text: String?

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = (try? container.decode(String.self)) ?? (try? container.decode([String].self))?.first
      }
    }

    var item: String
    var domain: String?
    var query: String
    var unknown: String
    var attributes: [String: Value]
  }

  private func check(_ text: String, _ literal: [UInt8], _ number: Int) throws {
    let literal = String(decoding: literal, as: UTF8.self)
    let canBeItem = !text.isEmpty && text.utf8.count <= EventLimits.itemByteCount
    let canBeDomain = canBeItem && !text.utf8.contains(UInt8(ascii: "."))
    var line = #"{"kind":"view","item":"# + (canBeItem ? literal : "\"a\"")
    if canBeDomain { line += #","domain":"# + literal }
    line += #","attributes":{"title":"# + literal + #","k":["# + literal + "],"
    line += literal + #":1},"query":"# + literal + #","unknown":"# + literal + "}"

    let output = try roundTrip(line)
    let read = try JSONDecoder().decode(Line.self, from: Data(output.utf8))
    func same(_ value: String?) -> Bool { value.map { $0.hasBytes(of: text) } ?? false }
    #expect(same(read.item) || !canBeItem, "string \(number)")
    #expect(same(read.domain) || !canBeDomain, "string \(number)")
    #expect(same(read.query), "string \(number)")
    #expect(same(read.unknown), "string \(number)")
    let titles = read.attributes.filter { same($0.value.text) }
    #expect(titles.contains { $0.key == "title" }, "string \(number)")
    #expect(titles.contains { $0.key == "k" }, "string \(number)")
    #expect(read.attributes.keys.contains { $0.hasBytes(of: text) }, "string \(number)")
    #expect(try roundTrip(output) == output, "string \(number)")
  }

  @Test func `is escaped where JSON asks for it and nowhere else`() {
    let all = String(String.UnicodeScalarView((0...0x80).compactMap(Unicode.Scalar.init)))
    var output: [UInt8] = []
    JSONText.append(all, to: &output)
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.hasPrefix(#""\u0000\u0001"#))
    #expect(text.contains(#"\u0007\b\t\n\u000b\f\r\u000e"#))
    #expect(text.contains(##" !\"#$%&'()*+,-./0"##))
    #expect(text.contains(#"[\\]"#))
    #expect(text.hasSuffix("~\u{7f}\u{80}\""))
  }

  @Test func `finds what is not plain wherever it stands`() {
    for special in [0x00, 0x1f, 0x22, 0x5c, 0x80, 0xff] as [UInt8] {
      for place in 0..<40 {
        var bytes = [UInt8](repeating: 0x7f, count: 40)
        bytes[place] = special
        if place < 39 { bytes[place + 1] = 0x21 }
        var output: [UInt8] = []
        let isUTF8 = JSONText.append(bytes.span, to: &output)
        #expect(isUTF8 == (special < 0x80))
        if special == 0x22 { #expect(output[place + 1] == 0x5c) }
      }
    }
  }
}
