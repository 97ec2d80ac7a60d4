/// A line that is being typed, and where the cursor stands in it.
struct QueryEditor {
  private var characters: [Character]
  private var cursor: Int

  /// A person's query is short; what is pasted beyond this is cut.
  private static let countMax = 1_000

  init(_ text: String) {
    characters = Array(text.prefix(Self.countMax))
    cursor = characters.count
  }

  var text: String { String(characters) }

  /// Changes the line as a key says.
  mutating func take(_ key: Key) {
    switch key {
    case .text(let text): insert(text)
    case .backspace: remove(from: cursor - 1)
    case .delete, .deleteOrLeave:
      if cursor < characters.count { characters.remove(at: cursor) }
    case .deleteWord:
      var start = cursor
      while start > 0, characters[start - 1] == " " { start -= 1 }
      while start > 0, characters[start - 1] != " " { start -= 1 }
      remove(from: start)
    case .deleteLine: remove(from: 0)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = characters.count
    default: break
    }
  }

  private mutating func insert(_ text: String) {
    let new = DisplayText.harmless(text).prefix(Self.countMax - characters.count)
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  private mutating func remove(from start: Int) {
    guard start >= 0, start < cursor else { return }
    characters.removeSubrange(start..<cursor)
    cursor = start
  }

  /// The part of the line around the cursor that fits, and the cursor's column in it.
  func window(_ columns: Int) -> (text: String, column: Int) {
    var start = 0
    func width(_ range: Range<Int>) -> Int { DisplayText.width(String(characters[range])) }
    while start < cursor, width(start..<cursor) >= columns { start += 1 }
    var end = characters.count
    while end > cursor, width(start..<end) > columns { end -= 1 }
    return (String(characters[start..<end]), width(start..<cursor))
  }
}
