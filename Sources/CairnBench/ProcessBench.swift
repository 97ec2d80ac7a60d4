import Glibc

/// Whole processes, from start to exit, two commands in turn.
struct ProcessBench {
  let rounds: Int
  let first: [String]
  let second: [String]?

  func run() throws {
    var one = Samples()
    var two = Samples()
    for _ in 0..<rounds {
      one.time { Self.run(first) }
      if let second { two.time { Self.run(second) } }
    }
    report("first-micros", one.median)
    if second != nil { report("second-micros", two.median) }
  }

  private static func run(_ command: [String]) {
    // SAFETY: every argument is a copy that is freed after the spawn; the list ends with nil.
    let copies = unsafe command.map { unsafe strdup($0) }
    let list = unsafe copies + [nil]
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var identifier = pid_t()
    var status: Int32 = 0
    let started = unsafe posix_spawnp(&identifier, command[0], &actions, nil, list, environ)
    precondition(started == 0, "cannot start \(command[0])")
    unsafe waitpid(identifier, &status, 0)
    precondition(status == 0, "\(command[0]) failed")
    unsafe posix_spawn_file_actions_destroy(&actions)
    unsafe copies.forEach { unsafe free($0) }
  }
}
