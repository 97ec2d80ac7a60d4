import Events

extension UpcasterStep {
  /// Brings an event over this step.
  ///
  /// Pure: the same event always gives the same. `name` tells the step from all others of a path.
  /// - Complexity: O(attributes · keys of the step).
  package func apply(to event: inout EventShape, named name: String) {
    guard DomainPath.covers(domain, event.place) || isMove else { return }
    switch operation {
    case .rename(let from, let to):
      event.make(to, of: from)
      guard let value = event.attributes[from] else { return }
      if event.attributes[to] == nil { event.attributes[to] = value }
      event.take(from)
    case .split(let from, let to, let at): Self.split(&event, from, to, at)
    case .splitIntoArray(let from, let to, let at):
      Self.replace(&event, from, to) { value in
        guard case .string(let text) = value else { return nil }
        return .array(Separated.all(text, at).filter { !$0.isEmpty }.map { .string($0) })
      }
    case .join(let from, let to, let with): join(&event, from, to, with, name)
    case .joinArray(let from, let to, let with):
      Self.replace(&event, from, to) { value in
        guard case .array(let elements) = value else { return nil }
        var texts: [String] = []
        for element in elements {
          guard case .string(let text) = element else { return nil }
          texts.append(text)
        }
        var byteCount = with.utf8.count * texts.count
        for text in texts { byteCount += text.utf8.count }
        guard byteCount <= SchemaLimits.madeByteCount else { return nil }
        return .string(texts.joined(separator: with))
      }
    case .map(let key, let values, let otherwise):
      Self.change(&event, key) { Self.mapped($0, values, otherwise) }
    case .convert(let key, let type): Self.change(&event, key) { Conversion.of($0, to: type) }
    case .default(let key, let value):
      event.make(key)
      if event.makesItem, event.attributes[key] == nil { event.attributes[key] = value }
    case .drop(let key): if event.attributes[key] != nil { event.take(key) }
    case .move(let to): event.move(from: domain, to: to)
    }
  }

  private var isMove: Bool { if case .move = operation { true } else { false } }

  /// Makes one key of another where the value can be taken; null goes along.
  private static func replace(
    _ event: inout EventShape, _ from: String, _ to: String,
    _ change: (AttributeValue) -> AttributeValue?
  ) {
    event.make(to)
    guard let value = event.attributes[from] else { return }
    guard let changed = value == .null ? .null : change(value) else { return }
    if event.attributes[to] == nil { event.attributes[to] = changed }
    event.take(from)
  }

  private static func split(
    _ event: inout EventShape, _ from: String, _ to: [String], _ at: String
  ) {
    for key in to { event.make(key) }
    var parts: [AttributeValue]
    switch event.attributes[from] {
    case .null?: parts = to.map { _ in .null }
    case .string(let text)?:
      parts = Separated.first(to.count, text, at).map { .string($0) }
      // What an update does not name stays, and there it is no more.
      while event.isUpdate, parts.count < to.count { parts.append(.null) }
    default: return
    }
    for (key, part) in zip(to, parts) where event.attributes[key] == nil {
      event.attributes[key] = part
    }
    event.take(from)
  }

  private func join(
    _ event: inout EventShape, _ from: [String], _ to: String, _ with: String, _ name: String
  ) {
    func hidden(_ key: String) -> String { HiddenAttribute.part(key, of: name) }
    event.make(to)
    // Parts that the item has from elsewhere than this step are those that were seen there.
    let isKnown = from.contains { event.had[hidden($0)] != nil }
    // What an item has that comes into the domain passed this step by.
    let comes = event.seen.isEmpty && !DomainPath.covers(domain, event.hadDomain)
    var carried: [String] = []
    var texts: [String] = []
    for key in from {
      switch event.attributes[key] {
      case .string(let text)?:
        carried.append(key)
        texts.append(text)
        event.attributes[hidden(key)] = .string(text)
      case .null?:
        carried.append(key)
        event.attributes[hidden(key)] = .null
      case nil:
        let seen = comes ? event.had[key] : event.seen[key]
        let other = isKnown ? event.had[hidden(key)] : seen
        guard event.isUpdate, case .string(let text)? = other else { continue }
        texts.append(text)
        event.attributes[hidden(key)] = .string(text)
      // What is no text now was one before.
      default: if event.isUpdate { event.attributes[hidden(key)] = .null }
      }
    }
    guard !carried.isEmpty else {
      for key in from where event.attributes[hidden(key)] != .null {
        event.attributes[hidden(key)] = nil
      }
      return
    }
    for key in carried { event.take(key) }
    guard event.attributes[to] == nil else { return }
    event.attributes[to] = texts.isEmpty ? .null : .string(texts.joined(separator: with))
  }

  /// Changes each value of a key by itself; what becomes nothing goes.
  private static func change(
    _ event: inout EventShape, _ key: String, _ change: (AttributeValue) -> AttributeValue
  ) {
    switch event.attributes[key] {
    case nil, .null?: return
    case .array(let elements)?:
      let changed = elements.map(change).filter { $0 != .null }
      var byteCount = 0
      for case .string(let text) in changed { byteCount += text.utf8.count }
      guard byteCount <= SchemaLimits.madeByteCount else { return }
      event.attributes[key] = .array(changed)
    case let value?:
      let changed = change(value)
      if changed == .null, !event.isUpdate {
        event.attributes[key] = nil
      } else {
        event.attributes[key] = changed
      }
    }
  }

  private static func mapped(
    _ value: AttributeValue, _ values: KeyOrdered<AttributeValue>, _ otherwise: AttributeValue?
  ) -> AttributeValue {
    if let text = value.lookupText, let found = values[text] { return found }
    return otherwise ?? value
  }
}

/// Texts cut at a separator, byte for byte.
enum Separated {
  static func all(_ text: String, _ separator: String) -> [String] { first(.max, text, separator) }

  /// At most so many parts: the last has the rest.
  static func first(_ countMax: Int, _ text: String, _ separator: String) -> [String] {
    let bytes = Array(text.utf8)
    let mark = Array(separator.utf8)
    var parts: [String] = []
    var start = 0
    var place = 0
    while parts.count + 1 < countMax, !mark.isEmpty, place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
        parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    parts.append(String(decoding: bytes[start...], as: UTF8.self))
    return parts
  }
}
