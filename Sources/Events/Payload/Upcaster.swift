/// Brings payloads of one shape to the next.
///
/// Pure and total: the same bytes always give the same bytes. Accepts an erased payload (nil gives
/// nil) and leaves alone what already has the newer shape.
package protocol Upcaster: Sendable {
  /// The number and name of its file, such as `0001_keywords_become_arrays`.
  var name: StaticString { get }
  /// The kind it is for; nil: all.
  var kind: EventKind? { get }
  /// The shape it reads; it writes `from + 1`.
  var from: UInt16 { get }
  func upcast(_ payload: [UInt8]?) throws(CairnError) -> [UInt8]?
}

/// All upcasters in order.
package struct UpcasterChain: Sendable {
  private let upcasters: [any Upcaster]

  package init(_ upcasters: [any Upcaster]) { self.upcasters = upcasters }

  /// The payload in the current shape; nil for an erased one.
  /// - Complexity: free for a payload that is current, else one pass for each step between.
  package func upcast(_ payload: [UInt8]?, kind: EventKind, schema: UInt16) throws(CairnError)
    -> [UInt8]?
  {
    guard schema < EventSchema.current else { return payload }
    var payload = payload
    for upcaster in upcasters where upcaster.from >= schema {
      guard upcaster.kind == nil || upcaster.kind == kind else { continue }
      payload = try upcaster.upcast(payload)
    }
    return payload
  }
}
