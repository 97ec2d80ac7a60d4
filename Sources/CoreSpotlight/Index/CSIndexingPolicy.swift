import Cairn

/// What of an application may be found, as the person who uses it decides.
public enum CSIndexingPolicy: String, Sendable, CaseIterable {
  /// Nothing; what was indexed before goes when the application is launched next.
  case disabled
  /// Only what was looked at: activities, each on its own.
  case viewedRecords
  /// Everything the application indexes, and activities with it.
  case allRecords
}

extension CSSearchableIndex {
  /// The policy that holds for the application.
  public var indexingPolicy: CSIndexingPolicy { store.policy }

  /// Sets the policy and remembers it.
  ///
  /// It holds for what is indexed from now on; what is there stays until the next launch.
  /// - Throws: `CSIndexError`; then the policy is what it was.
  public func setIndexingPolicy(_ policy: CSIndexingPolicy) async throws {
    let stored = Event(
      kind: .index, item: Reserved.policyItem,
      attributes: [Reserved.value: .string(policy.rawValue)])
    try await store.make([stored]) { [store] in store.setPolicy(policy) }
  }
}
