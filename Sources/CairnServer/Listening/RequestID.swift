import Synchronization

/// Names of requests, in the log and in `X-Request-Id`.
enum RequestID {
  private static let count = Atomic<UInt64>(0)
  /// Of this run of the server, so that no two runs share a name.
  private static let run = String(UInt32.random(in: .min ... .max), radix: 36)

  static func next() -> String {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return "\(run)-\(String(number, radix: 36))"
  }
}
