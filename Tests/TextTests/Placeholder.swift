import Testing
import Text

@Test func `identifiers are words side by side, and their parts stand in another space`() {
  var buffer = TokenBuffer()
  Analyzer().analyze(Array("node.js fooBar".utf8), into: &buffer)
  let terms = buffer.tokens.map { String(decoding: buffer.term($0), as: UTF8.self) }
  #expect(terms == ["node", "js", "foobar", "foo", "bar"])
  #expect(buffer.tokens.map(\.position) == [0, 1, 2, 2, 2])
  #expect(buffer.tokens.map(\.space) == [.word, .word, .word, .part, .part])
}
