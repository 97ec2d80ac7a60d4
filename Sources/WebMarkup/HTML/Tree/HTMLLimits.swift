/// How much of a page is kept; what lies beyond is left out, and said so.
enum HTMLLimits {
  /// Elements one in another; deeper ones become siblings.
  static let depth = 512
  /// Bytes of an attribute's value, and of any text of the item but the main text.
  static let attributeBytes = 1 << 20
  /// Bytes of all texts of the item but the main text.
  static let itemBytes = 1 << 21
  /// Bytes of a URL that others are relative to: each of them would be as long.
  static let urlBytes = 4096
  /// Prefixes and terms that are in force together.
  static let names = 1000
  /// Attributes of an element.
  static let attributes = 256
  /// Nodes, and attributes, of a page.
  static let nodes = 1 << 21
  /// Formatting elements that are open or opened again in the next block.
  static let formatting = 128
}
