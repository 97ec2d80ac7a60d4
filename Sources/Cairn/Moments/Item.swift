public import Events

/// An item as it stood at a moment.
public struct Item: Sendable, Hashable {
  /// Its identifier.
  public var id: String
  /// Its domain.
  public var domain: String?
  /// Sequence of the event that made it what it is.
  public var sequence: UInt64
  /// When it expires; nil for never.
  public var expires: Timestamp?
  /// Its attributes as a canonical map.
  package var encodedAttributes: [UInt8]

  /// Its attributes.
  ///
  /// - Complexity: decoded at each call, O(bytes).
  public var attributes: Attributes {
    // The map was checked when its event was appended and is covered by a checksum since.
    (try? Attributes(encoded: encodedAttributes, encodedAttributes.indices)) ?? [:]
  }

  /// The text of the attribute `title`.
  public var title: String? { text(of: "title") }

  /// The text of an attribute, when it has one; of several texts the first.
  package func text(of name: String) -> String? {
    var cursor = AttributeCursor(encodedAttributes, encodedAttributes.indices)
    while let (key, value) = cursor.next() {
      guard encodedAttributes[key].elementsEqual(name.utf8) else { continue }
      switch value {
      case .string(let text): return String(decoding: encodedAttributes[text], as: UTF8.self)
      case .array(let elements):
        var elements = ElementCursor(encodedAttributes, elements)
        while let element = elements.next() {
          if case .string(let text) = element {
            return String(decoding: encodedAttributes[text], as: UTF8.self)
          }
        }
        return nil
      default: return nil
      }
    }
    return nil
  }
}
