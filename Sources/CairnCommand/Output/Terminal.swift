import Files
import Glibc

/// What standard output and standard error are connected to.
enum Terminal {
  /// As it was at the beginning: a pager may take its place.
  static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  static var errorsAreTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
  /// Whether the terminal shows what should move its cursor as text, as `$TERM` says.
  static var isDumb: Bool { Variables.get("TERM") == "dumb" }

  /// Columns to fit text into: the terminal's, else `$COLUMNS`; nil where nothing limits it.
  static let width: Int? = {
    if outputIsTerminal, let columns = columns(of: STDOUT_FILENO) { return columns }
    return Variables.get("COLUMNS").flatMap { Int($0) }.map { max(20, $0) }
  }()

  /// Whether the locale has signs that are not ASCII, for those that are ours to choose.
  static let showsUTF8: Bool = {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Variables.get).first ?? ""
    return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
  }()

  static func columns(of descriptor: Int32) -> Int? {
    size(of: descriptor).flatMap { $0.columns >= 20 ? $0.columns : nil }
  }

  /// What a terminal says of its size, zeros where it knows none; nil for what is no terminal.
  static func size(of descriptor: Int32) -> (lines: Int, columns: Int)? {
    var size = winsize()
    // SAFETY: the call fills the one structure it is given.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }
}

extension Variables {
  /// Where programs keep data: `$XDG_DATA_HOME` where that is a whole path, else in `$HOME`.
  static var dataHome: String? {
    if let data = get("XDG_DATA_HOME"), data.hasPrefix("/") { return data }
    return get("HOME").map { $0 + "/.local/share" }
  }
}
