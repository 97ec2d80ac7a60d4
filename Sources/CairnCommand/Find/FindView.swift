/// What `find` shows: the query, the items found, the life of the chosen one, and the keys.
struct FindView {
  var editor: QueryEditor
  var found: [FindSource.Found] = []
  var chosen = 0
  /// The first item of the list that is on screen.
  private(set) var first = 0
  var preview: [String] = []
  /// What is told of the list.
  var status = ""
  /// The point looked at, for people; nil for the present.
  var point: String?

  private static let previewLineCount = 9
  private static let linesForPreview = 18
  private static let keys = "Enter choose · ↑ ↓ move · Alt-← earlier · Alt-→ later · Esc leave"

  init(_ query: String) { editor = QueryEditor(query) }

  /// How many items a terminal of so many lines lists.
  private func listLineCount(_ lines: Int) -> Int {
    max(0, lines - 3 - (lines >= Self.linesForPreview ? Self.previewLineCount : 0))
  }

  func shown(_ lines: Int) -> ArraySlice<FindSource.Found> {
    found.dropFirst(first).prefix(listLineCount(lines))
  }

  /// Moves to another item and brings it on screen.
  mutating func move(by count: Int, _ lines: Int) {
    chosen = max(0, min(found.count - 1, chosen + count))
    let room = max(1, listLineCount(lines))
    first = max(min(first, chosen), chosen - room + 1, 0)
  }

  func pageCount(_ lines: Int) -> Int { max(1, listLineCount(lines) - 1) }

  /// Takes another list; its first item is chosen.
  mutating func list(_ found: [FindSource.Found]) {
    self.found = found
    chosen = 0
    first = 0
  }

  /// The whole screen.
  ///
  /// The last column stays empty, since a terminal wraps behind it.
  func frame(_ size: (lines: Int, columns: Int)) -> Frame {
    let columns = max(1, size.columns - 1)
    let (query, cursor) = editor.window(max(1, columns - 2))
    var lines = [DisplayText.fit("> \(query)", columns), statusLine(columns)]
    let room = listLineCount(size.lines)
    for place in first..<(first + room) {
      lines.append(place < found.count ? row(place, columns) : "")
    }
    if size.lines >= Self.linesForPreview {
      lines.append(LineStyle.dim.shown(String(repeating: "─", count: columns)))
      let shown = preview.prefix(Self.previewLineCount - 1)
      for (index, text) in shown.enumerated() {
        lines.append((index == 0 ? LineStyle.bold : .plain).shown(DisplayText.fit(text, columns)))
      }
      lines += repeatElement("", count: Self.previewLineCount - 1 - shown.count)
    }
    lines.append(LineStyle.dim.shown(DisplayText.fit(Self.keys, columns)))
    return Frame(
      lines: Array(lines.prefix(size.lines)), cursorLine: 0, cursorColumn: min(columns, 2 + cursor))
  }

  private func statusLine(_ columns: Int) -> String {
    guard let point else { return LineStyle.dim.shown(DisplayText.fit("  \(status)", columns)) }
    return LineStyle.bold.shown(DisplayText.fit("  as of \(point) · \(status)", columns))
  }

  private func row(_ place: Int, _ columns: Int) -> String {
    let item = found[place]
    let name = item.title.map { $0 == item.item ? $0 : "\($0)  (\(item.item))" } ?? item.item
    let domain = DisplayText.fit(item.domain ?? "", max(0, min(24, columns / 4)))
    let room = max(1, columns - 3 - DisplayText.width(domain))
    let mark = place == chosen ? "› " : "  "
    let text = mark + DisplayText.pad(name, room) + " " + domain
    return (place == chosen ? LineStyle.chosen : .plain).shown(DisplayText.fit(text, columns))
  }
}
