/// A start or end tag as the tokenizer found it.
struct HTMLToken {
  var tag: HTMLTag
  var mark: UInt16
  /// An unknown name in the bytes of the tree.
  var nameStart: Int32 = 0
  var nameCount: Int32 = 0
  /// Its attributes in the tree.
  var attributes: Int32 = 0
  var attributeCount: Int32 = 0
  var isEnd: Bool
  var isSelfClosing = false
  var place: Int32
}

/// What the tokenizer reads next.
enum HTMLContent {
  /// Markup.
  case data
  /// Text with character references up to the end tag: `title`, `textarea`.
  case escapable
  /// Text up to the end tag: `style`, `iframe`, …
  case raw
  /// Text up to the end tag, by the rules that let scripts write scripts.
  case script
  /// Text up to the end of the page.
  case plain
}
