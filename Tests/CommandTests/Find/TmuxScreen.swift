import Foundation
import Testing

/// A terminal of tmux in which a command runs, seen as a person sees it.
final class TmuxScreen {
  private static let program = ["/usr/bin/tmux", "/usr/local/bin/tmux"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static var isHere: Bool { program != nil }

  /// A lost screen is a failure, not a test that hangs.
  private static let patience = Duration.seconds(60)

  private let socket: String

  /// Runs a shell line in a terminal of that size.
  init(_ line: String, columns: Int = 80, lines: Int = 24, store: Store) throws {
    socket = Scratch.path("tmux")
    let settings = try Scratch.file(
      "tmux.conf", Data("set -g escape-time 0\nset -g status off\n".utf8))
    let path = (Store.binary as NSString).deletingLastPathComponent
    // Foundation waits for a socket that programs inherit, and threads of tests keep signals back;
    // the terminal's server would hold both, so it gets neither.
    let freeing = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      os.closerange(3, 4096)
      os.execv(sys.argv[1], sys.argv[1:])
      """
    let result = try Shell.run(
      "/usr/bin/env",
      [
        "python3", "-c", freeing, Self.program ?? "", "-S", socket, "-f", settings, "new-session",
        "-d", "-x", "\(columns)", "-y", "\(lines)",
        "env CAIRN_STORE='\(store.path)' TZ=UTC0 PATH='\(path)':$PATH PS1='$ ' "
          + "bash --norc --noprofile",
      ])
    try #require(result.status == 0, "\(result.errors)")
    try type(line)
    try press("Enter")
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult private func tmux(_ words: String...) throws -> String {
    try Shell.run(Self.program ?? "", ["-S", socket] + words).text
  }

  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }
  func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }
  func resize(columns: Int, lines: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(lines)")
  }

  /// What is on screen, without blanks at the ends of lines.
  func lines() throws -> [String] {
    try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Waits until the screen is as wanted, and gives it.
  @discardableResult func wait(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isRight: ([String]) -> Bool
  ) throws -> [String] {
    let end = ContinuousClock.now + Self.patience
    var seen: [String] = []
    repeat {
      seen = try lines()
      if isRight(seen) { return seen }
      usleep(20_000)
    } while ContinuousClock.now < end
    let shown = seen.joined(separator: "\n")
    Issue.record("never on screen: \(what)\n\(shown)", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Sends a signal to the program that the shell waits for.
  func kill(_ signal: Int32) throws {
    let text = try tmux("display-message", "-p", "#{pane_pid}")
    let shell = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let children = try String(
      contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
    let child = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    Foundation.kill(child, signal)
  }

  /// The modes of the terminal, as `stty` has them when the shell has it again.
  func modes() throws -> String {
    // On a narrow screen the line is cut in pieces.
    try resize(columns: 200, lines: 30)
    try type("stty -g > modes-$$; cat modes-$$; rm modes-$$; echo end-of-modes")
    try press("Enter")
    let seen = try wait("modes") { $0.contains("end-of-modes") }
    return seen.last { $0.contains(":") && !$0.contains("stty") } ?? ""
  }
}
