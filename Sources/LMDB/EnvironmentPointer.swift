import Synchronization

/// The LMDB handle and whether it is still open.
@safe final class EnvironmentPointer: @unchecked Sendable {
  // Sendable by hand: an MDB_env may be used from any thread.
  let raw: OpaquePointer
  private let isOpen = Atomic(true)

  init(_ raw: OpaquePointer) { unsafe self.raw = raw }

  /// Gives the right to close the handle, once.
  func take() -> Bool { isOpen.exchange(false, ordering: .acquiringAndReleasing) }
}
