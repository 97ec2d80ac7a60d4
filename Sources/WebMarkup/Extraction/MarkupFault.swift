/// Something of a page that could not be read as it was meant.
public struct MarkupFault: Sendable, Equatable {
  /// What kind of thing it is; `cairn inspect` shows these names.
  public enum Kind: String, Sendable {
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
  public let line: Int
  /// In Unicode scalars, from 1.
  public let column: Int
  /// What it is.
  public let kind: Kind
  /// What is wrong, for people.
  public let message: String
  /// Whether the part was read all the same.
  public let recovered: Bool

  var json: JSON {
    .members([
      "line": .integer(line), "column": .integer(column), "kind": .string(kind.rawValue),
      "message": .string(message), "recovered": .bool(recovered),
    ])
  }
}
