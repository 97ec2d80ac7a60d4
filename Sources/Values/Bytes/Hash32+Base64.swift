extension Hash32 {
  package var base64: String { Base64.encode(bytes) }

  /// The hash written as base64, or `nil` when the text is not canonical or not 32 bytes.
  package init?(base64 text: some StringProtocol) {
    guard text.utf8.count == 44, let bytes = Base64.decode(text.utf8) else { return nil }
    self.init(bytes: bytes)
  }
}
