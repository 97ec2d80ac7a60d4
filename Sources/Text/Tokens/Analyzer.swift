/// Cuts text into terms, the same way for documents and for queries.
///
/// Words are maximal runs of letters, numbers and marks, as SQLite's `unicode61` sees them, so that
/// `node.js` and `foo_bar` are two neighbouring words each. ASCII text never reaches ICU.
package struct Analyzer: Sendable {
  /// Creates an analyzer; it holds nothing.
  package init() {}

  /// Replaces the content of the buffer by the terms of the text.
  ///
  /// Bytes that are no UTF-8 separate words.
  /// - Complexity: O(n) bytes; no allocation once the buffer has grown.
  package func analyze(_ text: Span<UInt8>, into buffer: inout TokenBuffer) {
    buffer.removeAll()
    buffer.scan(text)
  }

  /// The same for an array.
  package func analyze(_ text: [UInt8], into buffer: inout TokenBuffer) {
    analyze(text.span, into: &buffer)
  }
}
