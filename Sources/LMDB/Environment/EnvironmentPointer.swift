import Synchronization

/// The LMDB handle and whether it is still open.
@safe final class EnvironmentPointer: Sendable {
  private let bits: Atomic<UInt>
  private let isOpen = Atomic(true)

  init(_ raw: OpaquePointer) { bits = Atomic(UInt(bitPattern: raw)) }

  /// The handle; an MDB_env may be used from any thread.
  var raw: OpaquePointer {
    let bits = bits.load(ordering: .acquiring)
    guard let raw = unsafe OpaquePointer(bitPattern: bits) else {
      preconditionFailure("an open environment has a handle")
    }
    return unsafe raw
  }

  /// Exchanges the handle for that of the same file opened anew.
  func replace(with raw: OpaquePointer) { bits.store(UInt(bitPattern: raw), ordering: .releasing) }

  /// Gives the right to close the handle, once.
  func take() -> Bool { isOpen.exchange(false, ordering: .acquiringAndReleasing) }
}
