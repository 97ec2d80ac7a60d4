/// Equal and hashed as Python does: numbers by value, truth as 1 and 0, members in any order.
extension QueryValue: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    if let a = a.numeric, let b = b.numeric { return a == b }
    return switch (a, b) {
    case (.null, .null): true
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.duration(let a), .duration(let b)): a == b
    case (.event(let a), .event(let b)):
      a === b || (a.start == b.start && a.duration == b.duration && a.data == b.data)
    case (.list(let a), .list(let b)): a === b || a.values == b.values
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    if let numeric { return hasher.combine(numeric) }
    switch self {
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .duration(let value): hasher.combine(value)
    case .event(let event): hasher.combine(event.start)
    case .list(let list): hasher.combine(list.values)
    case .object(let members): hasher.combine(members)
    default: break
    }
  }

  private var numeric: ExactNumber? {
    switch self {
    case .boolean(let value): .whole(value ? 1 : 0)
    case .integer(let value): .whole(value)
    case .number(let text): ExactNumber(text)
    default: nil
    }
  }
}

extension QueryMembers: Hashable {
  package static func == (a: QueryMembers, b: QueryMembers) -> Bool {
    a === b || a.values == b.values
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
