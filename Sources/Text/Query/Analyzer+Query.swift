extension Analyzer {
  /// Cuts a query into clauses.
  ///
  /// `"…"` makes a phrase, open to the end when unclosed; typographic quotes count. Text after
  /// `TextLimits.queryByteCount` bytes and clauses after `TextLimits.queryTermCount` terms are
  /// ignored.
  package func analyzeQuery(_ text: String) -> QueryTokens {
    var buffer = TokenBuffer()
    return analyzeQuery(text, using: &buffer)
  }

  /// The same with the storage of a buffer.
  package func analyzeQuery(_ text: String, using buffer: inout TokenBuffer) -> QueryTokens {
    var utf8 = Array(text.utf8.prefix(TextLimits.queryByteCount))
    if utf8.count == TextLimits.queryByteCount {
      // The cut may have left half of a character.
      while let last = utf8.last, last & 0xC0 == 0x80 { utf8.removeLast() }
      if let last = utf8.last, last >= 0xC0 { utf8.removeLast() }
    }
    analyze(utf8, into: &buffer)
    var builder = QueryBuilder(text: utf8)
    for token in buffer.tokens where builder.termCount < TextLimits.queryTermCount {
      builder.add(token, buffer.bytes[token.byteRange])
    }
    return builder.finish()
  }
}
