import Files
import Glibc
import Values

/// `git log` as a child process, read through a pipe.
final class GitProcess {
  private let path: String
  private let output: Int32
  private let identifier: pid_t

  /// The first-parent history, oldest commit first.
  ///
  /// What the user's own settings would leave out of a log, or order otherwise, is said here.
  static let log = [
    "-c", "log.showRoot=true", "-c", "core.quotePath=false", "-c", "log.diffMerges=first-parent",
    "log", "--first-parent", "-m", "--reverse", "--raw", "-z", "--no-renames", "--no-abbrev",
    "--no-relative", "--ignore-submodules=none", "-O/dev/null", "--no-show-signature", "--no-color",
    "--no-notes", "--encoding=UTF-8", "--format=\(GitLog.format)",
  ]

  /// Starts git in a checkout.
  init(_ path: String, _ command: [String] = log) throws(CairnError) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the call fills the two descriptors of the array it is given.
    guard unsafe pipe(&ends) == 0 else { throw CairnError.system(.io, "cannot make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let started = Self.start(["git", "-C", path] + command, writing: ends[1])
    close(ends[1])
    guard let started else {
      close(ends[0])
      throw CairnError(.missing, "git cannot be started; install git")
    }
    self.path = path
    identifier = started
    output = ends[0]
  }

  private static func start(_ arguments: [String], writing descriptor: Int32) -> pid_t? {
    // SAFETY: the actions are initialised before they are used and destroyed after the spawn;
    // every argument is a copy that is freed after it, and the lists end with nil.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let list = unsafe arguments.map { unsafe strdup($0) }
    defer { unsafe list.forEach { unsafe free($0) } }
    var identifier = pid_t()
    let status = unsafe posix_spawnp(
      &identifier, "git", &actions, nil, list + [nil], surroundings())
    return status == 0 ? identifier : nil
  }

  /// What a checkout lacks is not fetched: its own settings name the program that would be run.
  nonisolated(unsafe) private static let transports: UnsafeMutablePointer<CChar>? =
    unsafe strdup("GIT_ALLOW_PROTOCOL=none")

  /// This process's environment without what names another checkout than the one asked for, as
  /// hooks of git have it, and without transports.
  private static func surroundings() -> [UnsafeMutablePointer<CChar>?] {
    var kept: [UnsafeMutablePointer<CChar>?] = unsafe []
    // SAFETY: the list ends with nil, and nothing in this process changes it or its texts.
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let isElsewhere = elsewhere.contains { name in
        unsafe strncmp(text, name + "=", name.utf8.count + 1) == 0
      }
      if !isElsewhere { unsafe kept.append(text) }
      unsafe entry += 1
    }
    unsafe kept.append(transports)
    unsafe kept.append(nil)
    return unsafe kept
  }

  private static let elsewhere = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX",
    "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_ALLOW_PROTOCOL",
  ]

  /// Whether git asks nobody before it reads a checkout: its folder and what git keeps in it are
  /// this user's, as is all of a bare repository.
  private var isTrusted: Bool {
    let kept = FileStatus(path + "/.git")
    guard kept != nil || FileStatus(path + "/HEAD") != nil else { return true }
    return [FileStatus(path), kept].allSatisfy { $0.map { $0.owner == geteuid() } ?? true }
  }

  static let hole = CairnError(
    .malformed, "git cannot read all of its history, and nothing is fetched; see: git fsck")

  /// Gives everything git writes, piece by piece, and waits for its end.
  ///
  /// To be called once.
  func forEachPiece(_ body: (ArraySlice<UInt8>) throws(CairnError) -> Void) throws(CairnError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var problem: CairnError?
    var hasBegun = false
    while problem == nil {
      // SAFETY: reads at most the bytes the buffer holds.
      let count = unsafe read(output, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      hasBegun = true
      do { try body(buffer[..<count]) } catch { problem = error }
    }
    close(output)
    var status: Int32 = 0
    // SAFETY: the call fills the one number it is given.
    while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    if let problem { throw problem }
    guard status == 0 else {
      guard !hasBegun else { throw Self.hole }
      guard isTrusted else {
        throw CairnError(
          .missing,
          "is another user's, whose checkouts git reads only where it is told to trust them: "
            + "git config --global --add safe.directory FOLDER")
      }
      throw CairnError(.missing, "is no git checkout with a commit in it")
    }
  }
}
