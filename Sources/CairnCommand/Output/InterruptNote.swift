import Glibc
import Synchronization

/// What is said when the user interrupts long work: what was kept, and how to go on.
enum InterruptNote {
  /// The address of a NUL-ended text that is never changed and never freed, since a handler may be
  /// reading it; 0 for none.
  private static let text = Atomic<UInt>(0)

  /// Says this from now on.
  static func set(_ line: String) {
    // SAFETY: a copy of the text that nobody changes or frees.
    let copy = unsafe strdup("cairn: interrupted: \(DisplayText.harmless(line))\n")
    text.store(UInt(bitPattern: copy), ordering: .releasing)
  }

  /// Says from now on how much was kept by a command that may simply be repeated.
  static func setKept(_ count: Int) {
    let kept = Readable.count(count, "event")
    set("\(kept) kept; the same command goes on: what is there is not added twice")
  }

  /// Says nothing from now on.
  static func clear() { text.store(0, ordering: .releasing) }

  /// Says it on a terminal, in the place of a progress line; safe in a signal handler.
  static func say() {
    let address = text.load(ordering: .acquiring)
    // SAFETY: see `text`; all three calls may be made in a handler.
    guard let line = unsafe UnsafePointer<CChar>(bitPattern: address) else { return }
    let start: StaticString = "\r\u{1B}[K"
    if isatty(STDERR_FILENO) == 1 {
      unsafe _ = write(STDERR_FILENO, start.utf8Start, start.utf8CodeUnitCount)
    }
    unsafe _ = write(STDERR_FILENO, line, strlen(line))
  }
}
