import Cairn

/// What a call gives its tool, checked.
struct ToolArguments {
  private let values: JSONObject

  init(_ given: JSONObject, of tool: Tool) throws(CairnError) {
    for member in given {
      guard let parameter = tool.parameters.first(where: { $0.name == member.key }) else {
        let names = tool.parameters.map(\.name).joined(separator: ", ")
        throw CairnError(.badArgument, "an unknown argument; \(tool.name) takes \(names)")
      }
      switch (parameter.kind, member.value) {
      case (_, .null), (.text, .string), (.count, .number): break
      case (.choice(let choices), .string(let text)) where choices.contains(text): break
      case (.choice(let choices), _):
        throw CairnError(
          .badArgument, "takes one of \(choices.joined(separator: ", "))", place: parameter.name)
      case (.text, _): throw CairnError(.badArgument, "takes a text", place: parameter.name)
      case (.count, _):
        throw CairnError(.badArgument, "takes a whole number", place: parameter.name)
      }
    }
    values = given
    for parameter in tool.parameters where parameter.isRequired {
      guard text(parameter.name) != nil else {
        throw CairnError(.badArgument, "is needed", place: parameter.name)
      }
    }
  }

  /// A text; nil where there is none, or an empty one.
  func text(_ name: String) -> String? {
    guard let text = values[name]?.string, !text.isEmpty else { return nil }
    return text
  }

  func limit() throws(CairnError) -> Int {
    guard case .number(let text)? = values["limit"] else { return 20 }
    // Some clients write every number as a float, and 5.0 is an integer to JSON Schema.
    guard let limit = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }),
      (1...50).contains(limit)
    else { throw CairnError(.badArgument, "takes a whole number from 1 to 50", place: "limit") }
    return limit
  }

  /// The moment that an argument names; the present where it names none.
  func moment(_ store: Store, _ name: String = "asOf") throws(CairnError) -> Moment {
    guard let text = text(name) else { return try store.at() }
    do throws(CairnError) { return try store.at(try store.point(text)) } catch {
      throw CairnError(error.code, error.message, place: name)
    }
  }

  /// A time as people write it.
  func time(_ name: String, isEnd: Bool = false) throws(CairnError) -> Timestamp? {
    guard let text = text(name) else { return nil }
    do throws(CairnError) {
      let time = try TimeExpression(text, zone: .local)
      return isEnd ? time.end : time.start
    } catch { throw CairnError(error.code, error.message, place: name) }
  }
}
