extension JSONValue {
  /// The value as JSON text, members in their order, numbers as they were written.
  package var text: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the value as JSON text, numbers as they were written.
  package func append(to output: inout [UInt8]) {
    switch self {
    case .null: output.append("null")
    case .bool(let value): output.append(value ? "true" : "false")
    case .number(let text): output.append(contentsOf: text.utf8)
    case .string(let text): JSONText.append(text, to: &output)
    case .array(let elements):
      JSONText.appendArray(elements, to: &output) { $0.append(to: &$1) }
    case .object(let members):
      JSONText.appendObject(members.lazy.map { ($0.key, $0.value) }, to: &output) {
        $0.append(to: &$1)
      }
    }
  }
}
