import Events

extension QueryValue {
  /// Appends the value as aw-server answers it: durations in seconds, events as objects.
  /// - Throws: When the output has become longer than a query may hold.
  package func append(to output: inout [UInt8], within memory: QueryMemory = QueryMemory())
    throws(QueryFailure)
  {
    // While the output grows, it stands there twice.
    try memory.check(2 * output.count)
    switch self {
    case .null: output.append("null")
    case .boolean(let value): output.append(value ? "true" : "false")
    case .integer(let value): JSONText.append(value, to: &output)
    case .number(let text): output.append(contentsOf: text.utf8)
    case .text(let text): JSONText.append(text, to: &output)
    case .duration(let value): JSONText.append(Double(value) / 1_000_000, to: &output)
    case .event(let event): try event.append(to: &output, within: memory)
    case .list(let list):
      try JSONText.appendArray(list.values, to: &output) {
        (value, output) throws(QueryFailure) in try value.append(to: &output, within: memory)
      }
    case .object(let members): try members.append(to: &output, within: memory)
    }
  }
}

extension QueryMembers {
  fileprivate func append(to output: inout [UInt8], within memory: QueryMemory)
    throws(QueryFailure)
  {
    let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    try JSONText.appendObject(sorted.lazy.map { ($0.key, $0.value) }, to: &output) {
      (value, output) throws(QueryFailure) in try value.append(to: &output, within: memory)
    }
  }
}

extension QueryEvent {
  fileprivate func append(to output: inout [UInt8], within memory: QueryMemory)
    throws(QueryFailure)
  {
    WatchedEvent.appendHead(id: id, start: start, duration: duration, to: &output)
    try data.append(to: &output, within: memory)
    output.append("}")
  }
}
