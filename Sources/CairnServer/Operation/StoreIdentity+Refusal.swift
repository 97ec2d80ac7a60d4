import Cairn

extension StoreIdentity {
  /// - Throws: 500 `missing` when the store was removed or replaced: what would be written is
  ///   found by nobody.
  func check() throws(Refusal) {
    guard !isThere else { return }
    throw Refusal(
      500, "missing", "the store was removed or replaced while it was served; start the server anew"
    )
  }
}
