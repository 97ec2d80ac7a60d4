extension KeyOrdered<AttributeValue> {
  /// The attributes of an encoded map, such as ``EventLayout/attributes``.
  /// - Throws: `.corrupt` for bytes that are no canonical map of attributes.
  package init(encoded payload: [UInt8], _ range: Range<Int>) throws(CairnError) {
    self.init()
    let bytes = payload.span.extracting(..<range.upperBound)
    var reader = PayloadReader(at: range.lowerBound)
    let count = try reader.count(bytes, .map)
    reserveCapacity(count)
    var previous = 0..<0
    for _ in 0..<count {
      let key = try reader.key(bytes, after: &previous)
      let value = try reader.value(bytes)
      append(try payload.text(key), try AttributeValue(value, payload))
    }
  }

  /// Appends the encoded map.
  /// - Throws: for a number that is not finite, or an array in an array.
  package func encode(to buffer: inout [UInt8]) throws(CairnError) {
    buffer.appendHead(.map, count)
    for member in self {
      buffer.appendText(member.key)
      try buffer.appendValue(member.value, allowsArray: true)
    }
  }
}

extension AttributeValue {
  package init(_ layout: ValueLayout, _ payload: [UInt8]) throws(CairnError) {
    switch layout {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .string(let range): self = .string(try payload.text(range))
    case .data(let range): self = .data(Array(payload[range]))
    case .array(let range):
      var cursor = ElementCursor(payload, range)
      var elements: [AttributeValue] = []
      while let element = cursor.next() { elements.append(try AttributeValue(element, payload)) }
      self = .array(elements)
    }
  }
}

extension [UInt8] {
  /// Appends the value of an attribute or, without arrays, an element of one.
  mutating func appendValue(_ value: AttributeValue, allowsArray: Bool) throws(CairnError) {
    switch value {
    case .null: append(CBORByte.null)
    case .bool(let value): append(value ? CBORByte.true : CBORByte.false)
    case .integer(let value): appendInteger(value)
    case .double(let value):
      guard value.isFinite else {
        throw CairnError(.badEvent, "a number that is not finite cannot be stored")
      }
      appendDouble(value)
    case .string(let value): appendText(value)
    case .data(let value):
      appendHead(.bytes, value.count)
      append(contentsOf: value)
    case .array(let elements):
      guard allowsArray else {
        throw CairnError(.badEvent, "an attribute nests no deeper than an array of scalars")
      }
      appendHead(.array, elements.count)
      for element in elements { try appendValue(element, allowsArray: false) }
    }
  }
}
