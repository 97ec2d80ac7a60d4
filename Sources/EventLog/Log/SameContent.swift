import Events

extension EncodedEvent {
  /// Whether two events of one id say the same, see `hasSameContent`.
  /// - Throws: `.corrupt` when the stored one cannot be read.
  func isSame(as stored: StoredEvent, _ upcasters: UpcasterChain) throws(CairnError) -> Bool {
    let other = EncodedEvent(kind: stored.kind, schema: stored.schema, payload: stored.payload)
    return try isSame(as: other, upcasters, place: EventReader.place(stored.sequence))
  }

  /// Whether two events of one id say the same, see `hasSameContent`.
  func isSame(as other: EncodedEvent, _ upcasters: UpcasterChain, place: String? = nil)
    throws(CairnError) -> Bool
  {
    do throws(CairnError) { return try hasSameContent(as: other, upcasting: upcasters) } catch {
      throw CairnError(.corrupt, "an event of the same id cannot be read", place: place)
    }
  }
}
