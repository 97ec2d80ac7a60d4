/// The JSON of one `script` of a page.
package struct JSONLDBlock: Sendable {
  /// Where the script begins.
  let line: Int
  /// In Unicode scalars.
  let column: Int
  let id: String?
  /// The byte of the text where it begins.
  let place: Int
  let data: JSON

  var json: JSON {
    .members(["line": .integer(line), "column": .integer(column), "id": .text(id), "data": data])
  }

  /// All blocks of a page; what cannot be read is a fault of the page.
  static func all(of page: inout PageDocument) -> [JSONLDBlock] {
    var result: [JSONLDBlock] = []
    var places = TextPlaces(page.text.bytes)
    var valuesLeft = PageDocument.valueLimit
    for script in page.elements where page.tree.is(script, .script) {
      guard page.tree.attribute(script, .type)?.essence == "application/ld+json",
        let range = page.tree.scripts[script]
      else { continue }
      var reader = JSONReader(page.text.bytes, range, isLenient: true, valueLimit: valuesLeft)
      defer { valuesLeft = reader.valuesLeft }
      do {
        let data = try reader.read()
        if let slip = reader.slip {
          page.fault(.json, slip.message, at: slip.place, recovered: true)
        }
        guard isContainer(data) else {
          let start = range.first { !page.text.bytes[$0].isSpace } ?? range.lowerBound
          page.fault(.jsonType, "the JSON is no object and no array", at: start)
          continue
        }
        let (line, column) = places.lineAndColumn(of: Int(page.tree[script].place))
        result.append(
          JSONLDBlock(
            line: line, column: column, id: page.tree.attribute(script, .id)?.nonEmpty,
            place: Int(page.tree[script].place), data: data))
      } catch {
        let first = reader.slip.map { error.kind == .json ? $0 : error } ?? error
        page.fault(error.kind, error.message, at: first.place)
      }
    }
    return result
  }

  private static func isContainer(_ data: JSON) -> Bool {
    switch data {
    case .object, .array: true
    default: false
    }
  }
}
