import Glibc

/// A pause of a thread that may wait.
enum ShortPause {
  static func take() { usleep(5_000) }
}
