import Files
import Glibc

/// Shows what comes on standard output a screen at a time, as `git log` does.
///
/// `$PAGER` names the program (`cat` or an empty text: none), else it is `less`, where there is
/// one.
struct Pager {
  private let process: pid_t

  /// What is shown is UTF-8 whatever the locale; on a dumb terminal less would ask before it shows.
  private static let standard = """
    if [ "$TERM" != dumb ] && command -v less >/dev/null
    then LESSCHARSET=${LESSCHARSET:-utf-8} exec less -FRX
    else exec cat
    fi
    """

  /// A line that runs a program, and shows all where there is none of its name: nothing would be
  /// seen, and nobody be told.
  private static func orAll(_ line: String) -> String {
    let name = line.prefix { $0 != " " }
    // A line that begins otherwise, as with a variable, is for the shell alone to read.
    let isPlain = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._+-/".contains($0))
    }
    return isPlain && !name.isEmpty ? "command -v \(name) >/dev/null || exec cat\n\(line)" : line
  }

  /// Begins to page; nil where nobody reads, or nothing can be started.
  init?() {
    guard Terminal.outputIsTerminal, Terminal.width != nil else { return nil }
    let named = Variables.getEvenEmpty("PAGER")
    guard named != "", named != "cat" else { return nil }
    let program = named.map(Self.orAll) ?? Self.standard
    var ends: [Int32] = [-1, -1]
    // SAFETY: the call fills the two numbers it is given.
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let started = Self.start(program, reading: ends[0])
    close(ends[0])
    guard let started else {
      close(ends[1])
      return nil
    }
    process = started
    // The pager decides what an interrupt means; when it ends, writing ends us.
    _ = signal(SIGINT, SIG_IGN)
    dup2(ends[1], STDOUT_FILENO)
    close(ends[1])
  }

  /// Ends the output and waits until the reader has seen enough.
  func finish() {
    close(STDOUT_FILENO)
    var status: Int32 = 0
    // SAFETY: the call fills the one number it is given.
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  private static func start(_ program: String, reading end: Int32) -> pid_t? {
    // SAFETY: the actions are initialised before they are used and destroyed after the spawn; the
    // words are copies that are freed after it, and their list ends with nil.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
    let words = unsafe [strdup("sh"), strdup("-c"), strdup(program)]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t()
    let status = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, words + [nil], environ)
    return status == 0 ? process : nil
  }
}
