// The forms that nobody waits for, each an overload of its own. The top level of a main.swift
// chooses overloads as synchronous code does, so `try await` would call these, wait for nothing
// and throw nothing: `noasync` makes the compiler refuse that.

extension CSSearchableIndex {
  /// Asks for items to be added or changed, and returns at once.
  ///
  /// The process makes the change before it ends; why it failed goes to standard error.
  @available(*, noasync, message: "move the call into an async function, such as main() of @main")
  public func indexSearchableItems(_ items: [CSSearchableItem]) {
    indexSearchableItems(items, completionHandler: nil)
  }

  /// Asks for items to be deleted, and returns at once.
  ///
  /// The process makes the change before it ends; why it failed goes to standard error.
  @available(*, noasync, message: "move the call into an async function, such as main() of @main")
  public func deleteSearchableItems(withIdentifiers identifiers: [String]) {
    deleteSearchableItems(withIdentifiers: identifiers, completionHandler: nil)
  }

  /// Asks for the items of domains and of everything below them to be deleted, and returns at once.
  ///
  /// The process makes the change before it ends; why it failed goes to standard error.
  @available(*, noasync, message: "move the call into an async function, such as main() of @main")
  public func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) {
    deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: nil)
  }

  /// Asks for everything to be deleted, and returns at once.
  ///
  /// The process makes the change before it ends; why it failed goes to standard error.
  @available(*, noasync, message: "move the call into an async function, such as main() of @main")
  public func deleteAllSearchableItems() { deleteAllSearchableItems(completionHandler: nil) }

  /// Ends the batch, and returns at once.
  ///
  /// The process makes the change before it ends; why it failed goes to standard error.
  @available(*, noasync, message: "move the call into an async function, such as main() of @main")
  public func endBatch(withClientState clientState: Data) {
    endBatch(withClientState: clientState, completionHandler: nil)
  }

  /// Ends the batch if the stored state is the expected one, and returns at once.
  ///
  /// The process makes the change before it ends; why it failed goes to standard error.
  @available(*, noasync, message: "move the call into an async function, such as main() of @main")
  public func endIndexBatch(expectedClientState: Data?, newClientState: Data) {
    endIndexBatch(
      expectedClientState: expectedClientState, newClientState: newClientState,
      completionHandler: nil)
  }
}
