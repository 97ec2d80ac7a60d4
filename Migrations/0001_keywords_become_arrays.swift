package import Events

/// Schema 1 wrote `keywords` as one text with commas, schema 2 writes an array of texts.
///
/// Blanks and tabs around a keyword go, and so do empty ones. A value that is no text is left
/// alone, which also makes a second run do nothing.
package struct KeywordsBecomeArrays: Upcaster {
  package let name: StaticString = "0001_keywords_become_arrays"
  package let kind: EventKind? = nil
  package let from: UInt16 = 1

  package init() {}

  package func upcast(_ payload: [UInt8]?) throws(CairnError) -> [UInt8]? {
    guard let payload else { return nil }
    return try AttributeMap.replacing("keywords", in: payload) {
      (value) throws(CairnError) -> AttributeValue? in
      guard case .string(let text) = value else { return nil }
      return .array(Self.keywords(text).map(AttributeValue.string))
    }
  }

  /// Split by bytes: a comma is never part of another character's UTF-8, but may be of a cluster.
  private static func keywords(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
      var part = part
      while let first = part.first, isBlank(first) { part.removeFirst() }
      while let last = part.last, isBlank(last) { part.removeLast() }
      return part.isEmpty ? nil : String(decoding: part, as: UTF8.self)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

extension KeywordsBecomeArrays {
  package static let step = MigrationStep(
    id: "0001_keywords_become_arrays", kind: .upcaster, since: "0.1.0",
    what:
      "The attribute keywords is an array of texts; events of schema 1 had one text, with commas.",
    why: "Filters compare whole keywords, and a keyword may hold a comma.",
    isReversible: false,
    lost: ["a keyword with a comma in it reads as two in a program that knows schema 1 alone"],
    fixtures: ["Tests/EventsTests/Golden/0001_keywords_become_arrays.txt"])
}
