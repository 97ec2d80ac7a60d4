import ArgumentParser
import Cairn

/// An attribute on the command line: `key=text`, or `key:=JSON` for any other value.
struct PairArgument {
  let key: String
  let value: AttributeValue

  /// Reads one; what an attribute may hold is what that of an event in a file may.
  init(_ argument: String) throws {
    // By bytes: with the tone of a skin or a joiner behind it the sign is another character.
    let bytes = argument.utf8
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > bytes.startIndex else {
      throw ValidationError("a key stands before = and its value behind")
    }
    let name = argument[..<equals]
    guard name != ":" else { throw ValidationError("a key stands before := and its JSON behind") }
    let text = String(argument[bytes.index(after: equals)...])
    guard name.last == ":", name.count > 1 else {
      key = String(name)
      value = .string(text)
      return
    }
    key = String(name.dropLast())
    // What is wrong with it matters less than what was forgotten.
    guard let json = try? JSONValue(parsing: Array(text.utf8).span) else {
      throw ValidationError("JSON stands behind := (a text goes with = alone)")
    }
    let event: JSONObject = [
      "kind": .string("index"), "item": .string("-"), "attributes": .object([key: json]),
    ]
    do throws(CairnError) {
      guard
        let value = try Event(json: String(decoding: JSONValue.object(event).text, as: UTF8.self))
          .attributes[key],
        value != .null
      else { throw CairnError(.badEvent, "an attribute that is not there is left out") }
      self.value = value
    } catch { throw ValidationError(error.message) }
  }
}
