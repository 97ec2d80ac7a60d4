import Glibc

/// The process's environment variables.
package enum Variables {
  /// - Returns: nil when the variable is not set or empty.
  package static func get(_ name: String) -> String? {
    getEvenEmpty(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// - Returns: nil when the variable is not set.
  package static func getEvenEmpty(_ name: String) -> String? {
    // SAFETY: the text is copied at once, and nothing sets variables meanwhile.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
