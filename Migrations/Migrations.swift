package import Events

/// Every change of shape the events have been through, oldest first.
package enum Migrations {
  /// The upcasters in order.
  ///
  /// New ones go to the end; none is ever changed or removed.
  package static let upcasters: [any Upcaster] = [KeywordsBecomeArrays()]

  /// What readers bring stored payloads up with.
  package static let chain = UpcasterChain(upcasters)
}
