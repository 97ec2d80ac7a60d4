/// Something of a page that could not be read as it was meant.
package struct MarkupFault: Sendable, Equatable {
  /// What kind of thing it is; `cairn inspect` shows these names.
  package enum Kind: String, Sendable {
    /// Bytes that are no text in the page's encoding.
    case encoding
    /// A block of JSON that is none.
    case json
    /// A block of JSON nested too deep.
    case jsonDepth = "json-depth"
    /// A block of JSON that is neither object nor array.
    case jsonType = "json-type"
    /// A smart app banner without an app.
    case banner
    /// A URL that does not parse.
    case url
    /// A number, price or date that is none.
    case value
    /// A reference to an element that is not there, or to one around it.
    case itemref
    /// More than is read of a page.
    case limit
  }

  /// From 1.
  package let line: Int
  /// In Unicode scalars, from 1.
  package let column: Int
  package let kind: Kind
  /// What is wrong, for people.
  package let message: String
  /// Whether the part was read all the same.
  let recovered: Bool

  var json: JSON {
    .members([
      "line": .integer(line), "column": .integer(column), "kind": .string(kind.rawValue),
      "message": .string(message), "recovered": .bool(recovered),
    ])
  }
}
