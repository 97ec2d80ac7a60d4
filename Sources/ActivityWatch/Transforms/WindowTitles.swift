/// Takes counters and marks out of window titles: aw-core's `simplify_string`.
enum WindowTitles {
  static func simplify(_ events: [QueryEvent], _ key: String, _ memory: QueryMemory)
    throws(QueryFailure) -> [QueryEvent]
  {
    let copies = try QueryEvent.copies(of: events, memory)
    for event in copies {
      guard case .text(let title)? = event.data[key] else {
        throw .function("An event has no text under '\(key)'.")
      }
      let isWindow = key == "title" && event.data["app"] != nil
      try event.set([(key, .text(simplified(title, isWindow: isWindow)))], memory)
    }
    return copies
  }

  static func simplified(_ title: String, isWindow: Bool) -> String {
    var text = ArraySlice(title.unicodeScalars)
    if text.first == "(" {
      let digits = text.dropFirst().prefix { ("0"..."9").contains($0) }
      if !digits.isEmpty, digits.endIndex < text.endIndex, text[digits.endIndex] == ")" {
        text = text[(digits.endIndex + 1)...].drop { $0.isPythonBlank }
      }
    }
    if isWindow {
      text = withoutFrameRate(text)
      if let first = text.first, first == "\u{25cf}" || first == "*" {
        text = text.dropFirst().drop { $0.isPythonBlank }
      }
    }
    return text.string
  }

  /// "FPS: 59.2" as "FPS: ...", wherever it stands.
  private static func withoutFrameRate(_ text: QueryText) -> QueryText {
    let mark = ArraySlice("FPS:".unicodeScalars)
    var result: [Unicode.Scalar] = []
    var rest = text
    while let first = rest.first {
      if rest.starts(with: mark) {
        let tail = rest.dropFirst(mark.count)
        let number = tail.drop { $0.isPythonBlank }
        let after = number.drop { ("0"..."9").contains($0) || $0 == "." }
        if number.startIndex > tail.startIndex, after.startIndex > number.startIndex {
          result.append(contentsOf: "FPS: ...".unicodeScalars)
          rest = after
          continue
        }
      }
      result.append(first)
      rest = rest.dropFirst()
    }
    return result[...]
  }
}
