/// The `Link` header field (RFC 8288).
enum LinkHeader {
  static func parse(_ value: String) -> [(target: String, relations: [String])] {
    var result: [(target: String, relations: [String])] = []
    var rest = value[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let target = String(rest[rest.index(after: open)..<close])
      let parameters = parameters(rest[rest.index(after: close)...])
      rest = parameters.rest
      // What links from a part of the page, or from another one, says nothing of this one.
      if parameters.list.contains(where: { $0.name == "anchor" }) { continue }
      let relation = parameters.list.first { $0.name == "rel" }?.value ?? ""
      result.append((target.strippedSpace, relation.loweredASCII.tokens))
    }
    return result
  }

  private static func parameters(_ text: Substring) -> (
    list: [(name: String, value: String)], rest: Substring
  ) {
    var list: [(name: String, value: String)] = []
    var current = ""
    var isQuoted = false
    var isEscaped = false
    var end = text.endIndex
    func take() {
      let parts = current.split(separator: "=", maxSplits: 1).map { String($0).strippedSpace }
      if parts.count == 2 {
        list.append((parts[0].loweredASCII, String(parts[1].filter { $0 != "\"" })))
      }
      current = ""
    }
    for index in text.indices {
      let character = text[index]
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
      if !isQuoted, character == "," {
        end = text.index(after: index)
        break
      }
      if !isQuoted, character == ";" { take() } else { current.append(character) }
    }
    take()
    return (list, text[end...])
  }
}
