import Events

/// JSON as it was written: members in order, numbers by their text.
indirect enum SchemaJSON: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([SchemaJSON])
  case object([(key: String, value: SchemaJSON)])

  init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let text): .number(text)
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map { SchemaJSON($0) })
      case .object(let members): .object(members.map { ($0.key, SchemaJSON($0.value)) })
      }
  }

  /// The same, members in canonical order.
  var value: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.value) }))
    }
  }

  /// How a reader would call it.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Refuses what is too large for a default.
  func checkDefaultSize(at place: JSONPlace) throws(SchemaFault) {
    let count = if case .string(let text) = self { text.utf8.count } else { value.text.count }
    guard count <= SchemaLimits.defaultByteCount else {
      throw SchemaFault(
        place, .limit, "a default has at most \(SchemaLimits.defaultByteCount) bytes")
    }
  }

  /// Reads a file.
  /// - Throws: Rule `json`.
  /// - Complexity: O(bytes).
  init(parsing text: [UInt8]) throws(SchemaFault) {
    guard text.count <= SchemaLimits.byteCount else {
      throw SchemaFault(.root, .json, "the file is larger than 1 MiB; split what it describes")
    }
    do throws(CairnError) { _ = try JSONValue(parsing: text.span) } catch {
      let place = error.offset.map { " (\(Self.place(of: $0, in: text)))" } ?? ""
      throw SchemaFault(.root, .json, error.message + place)
    }
    var reader = JSONTreeReader(text)
    self = try reader.value(at: .root)
  }

  /// Where an editor shows a byte.
  private static func place(of offset: Int, in text: [UInt8]) -> String {
    let lines = text.prefix(offset).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
    return "line \(lines.count), column \(column)"
  }
}

/// Makes a tree of a text that was found to be JSON, and refuses a key that stands twice.
private struct JSONTreeReader {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  private mutating func next() -> UInt8 {
    while position < text.count, [0x20, 0x09, 0x0a, 0x0d].contains(text[position]) { position += 1 }
    return position < text.count ? text[position] : 0
  }

  mutating func value(at place: JSONPlace) throws(SchemaFault) -> SchemaJSON {
    switch next() {
    case UInt8(ascii: "{"): return try object(at: place)
    case UInt8(ascii: "["): return try array(at: place)
    case UInt8(ascii: "\""): return .string(try string(at: place))
    default: return word()
    }
  }

  private mutating func object(at place: JSONPlace) throws(SchemaFault) -> SchemaJSON {
    var members: [(key: String, value: SchemaJSON)] = []
    var keys: Set<[UInt8]> = []
    position += 1
    while next() == UInt8(ascii: "\"") {
      let key = try string(at: place)
      guard keys.insert(Array(key.utf8)).inserted else {
        throw SchemaFault(place / key, .json, "the key stands here twice; keep one")
      }
      _ = next()
      position += 1
      members.append((key, try value(at: place / key)))
      if next() == UInt8(ascii: ",") { position += 1 }
    }
    position += 1
    return .object(members)
  }

  private mutating func array(at place: JSONPlace) throws(SchemaFault) -> SchemaJSON {
    var elements: [SchemaJSON] = []
    position += 1
    while next() != UInt8(ascii: "]"), position < text.count {
      elements.append(try value(at: place / elements.count))
      if next() == UInt8(ascii: ",") { position += 1 }
    }
    position += 1
    return .array(elements)
  }

  /// The text at the opening quote, by the one reader of escapes there is.
  private mutating func string(at place: JSONPlace) throws(SchemaFault) -> String {
    let start = position
    position += 1
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
    let quoted = Array(text[start..<min(position, text.count)])
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    do throws(CairnError) {
      if case .string(let text) = try JSONValue(parsing: quoted.span) { return text }
    } catch { throw SchemaFault(place, .json, error.message) }
    throw SchemaFault(place, .json, "this is no text")
  }

  private mutating func word() -> SchemaJSON {
    let start = position
    while position < text.count, !Self.ends.contains(text[position]) { position += 1 }
    switch String(decoding: text[start..<position], as: UTF8.self) {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case let number: return .number(number)
    }
  }

  private static let ends = Set(", ]}\t\r\n".utf8)
}
