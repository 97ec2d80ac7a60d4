package import Events
import Glibc

/// What the log takes from outside and a test must be able to fix: clock, salts, new ids.
package struct Entropy: Sendable {
  package var now: @Sendable () -> Timestamp
  /// Overwrites every byte of the array; called once per transaction.
  package var fill: @Sendable (inout [UInt8]) -> Void
  /// A new id for an event appended at the given time, from 64 of the random bits.
  package var identifier: @Sendable (Timestamp, UInt64) -> EventID

  package init(
    now: @escaping @Sendable () -> Timestamp, fill: @escaping @Sendable (inout [UInt8]) -> Void,
    identifier: @escaping @Sendable (Timestamp, UInt64) -> EventID
  ) {
    self.now = now
    self.fill = fill
    self.identifier = identifier
  }

  /// The system's clock and random generator, UUIDv7 ids.
  package static let system = Entropy(
    now: { Timestamp.now() }, fill: { fillFromSystem(&$0) },
    identifier: { EventID.timeOrdered(at: $0, random: $1) })

  private static func fillFromSystem(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      // The call takes no more at once (getentropy(3)).
      for start in stride(from: 0, to: buffer.count, by: 256) {
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...].prefix(256))
        // SAFETY: getentropy writes exactly as many bytes as the piece has.
        let status = unsafe getentropy(piece.baseAddress, piece.count)
        precondition(status == 0, "the system has no random generator")
      }
    }
  }
}
