import Glibc

/// What standard output and standard error are connected to.
enum Terminal {
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var errorsAreTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Columns to fit text into: the terminal's, else `$COLUMNS`; nil where nothing limits it.
  static var width: Int? {
    if outputIsTerminal, let columns = columns(of: STDOUT_FILENO) { return columns }
    return Variables.get("COLUMNS").flatMap { Int($0) }.map { max(20, $0) }
  }

  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // SAFETY: the call fills the one structure it is given.
    let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col >= 20 ? Int(size.ws_col) : nil
  }
}

/// The process's environment variables.
enum Variables {
  /// - Returns: nil when the variable is not set or empty.
  static func get(_ name: String) -> String? {
    // SAFETY: nothing in this process changes its environment, so the text stays where it is.
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }
}
