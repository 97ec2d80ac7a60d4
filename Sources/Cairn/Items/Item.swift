/// An item as it stood at a moment.
public struct Item: Identifiable, Sendable {
  /// Its identifier.
  public var id: String
  /// Its domain.
  public var domain: String?
  /// Sequence of the event that made it what it is.
  public var sequence: UInt64
  /// When it expires; nil for never.
  public var expires: Timestamp?
  private let encoded: EncodedAttributes

  init(id: String, domain: String?, sequence: UInt64, expires: Timestamp?, encoded: [UInt8]) {
    self.id = id
    self.domain = domain
    self.sequence = sequence
    self.expires = expires
    self.encoded = EncodedAttributes(encoded)
  }

  /// Its attributes as a canonical map.
  package var encodedAttributes: [UInt8] { encoded.bytes }

  /// Its attributes.
  /// - Complexity: O(bytes) at the first call, O(1) afterwards, copies of the item included.
  public var attributes: Attributes { encoded.attributes }

  /// The text of the attribute `title`.
  public var title: String? { text(of: "title") }

  /// The text of an attribute, when it has one; of several texts the first.
  package func text(of name: String) -> String? {
    bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same, as it is stored.
  func bytes(of name: String) -> ArraySlice<UInt8>? {
    var cursor = AttributeCursor(encodedAttributes, encodedAttributes.indices)
    while let (key, value) = cursor.next() {
      guard key.count == name.utf8.count, encodedAttributes[key].elementsEqual(name.utf8) else {
        continue
      }
      switch value {
      case .string(let text): return encodedAttributes[text]
      case .array(let elements):
        var elements = ElementCursor(encodedAttributes, elements)
        while let element = elements.next() {
          if case .string(let text) = element { return encodedAttributes[text] }
        }
        return nil
      default: return nil
      }
    }
    return nil
  }
}

extension Item: Hashable {
  /// Equality of everything, the attributes included.
  public static func == (one: Item, other: Item) -> Bool {
    one.id == other.id && one.domain == other.domain && one.sequence == other.sequence
      && one.expires == other.expires && one.encodedAttributes == other.encodedAttributes
  }

  /// Hashes the identifier and the sequence, which tell versions of items apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(sequence)
  }
}
