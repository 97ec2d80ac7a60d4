/// How much of a page is kept; what lies beyond is left out, and said so.
enum HTMLLimits {
  /// Elements one in another; deeper ones become siblings.
  static let depth = 512
  /// Bytes of an attribute's value.
  static let attributeBytes = 1 << 20
  /// Attributes of an element.
  static let attributes = 256
  /// Nodes, and attributes, of a page.
  static let nodes = 1 << 21
  /// Formatting elements that are open or opened again in the next block.
  static let formatting = 128
}
