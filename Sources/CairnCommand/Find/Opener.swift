import Cairn
import Glibc

/// Hands an item to the desktop.
enum Opener {
  /// What an item names: its `contentURL` or `path`, else an identifier that is a URL or an
  /// absolute path.
  static func target(of id: String, in moment: Moment) throws(Failure) -> String {
    let item = try answering(moment.item(id))
    let named = item?.text(of: "contentURL") ?? item?.text(of: "path")
    guard let target = named ?? (id.contains("://") || id.hasPrefix("/") ? id : nil) else {
      throw Failure(.no, "the item has no contentURL and no path to open; see: cairn update --url")
    }
    return target
  }

  /// Opens a URL or a path.
  static func open(_ target: String) throws(Failure) {
    let program = "xdg-open"
    // SAFETY: the words are copies that are freed after the call, and their list ends with nil.
    let words = unsafe [strdup(program), strdup(target)]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawnp(&process, program, nil, nil, words + [nil], environ)
    guard code == 0 else {
      throw Failure(.noInput, "cannot be started; install xdg-utils", place: program)
    }
    var status: Int32 = 0
    // SAFETY: the call fills the one number it is given.
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Failure(.no, "could not open the item", place: program) }
  }
}
