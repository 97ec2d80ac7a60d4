import Foundation
import TestSupport
import Testing

/// Whether git is here.
private let hasGit = (try? Shell.run("git", "--version").status == 0) ?? false

/// What the user has set for git, and what a hook of git finds set, change nothing in an import.
@Suite(.enabled(if: hasGit, "git is not installed")) struct `Importing from git` {
  private struct Row: Decodable, Equatable {
    var item: String
    var domain: String?
    var attributes: [String: String]
  }

  /// A checkout with a merge and, in a folder, what is like a submodule.
  private static func checkout(_ name: String) throws -> String {
    let path = Scratch.path(name)
    let commit = "git -c user.name=A -c user.email=a@x commit -q -m"
    let script = """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
      git init -q -b main "\(path)"; cd "\(path)"; mkdir folder
      echo one > one; echo two > folder/two; git add .; \(commit) "\(path)"
      git checkout -q -b side; echo side > folder/side; git add .; \(commit) side
      git checkout -q main; echo more >> one; git add .; \(commit) more
      git -c user.name=A -c user.email=a@x merge -q --no-ff -m merge side
      git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),module; \(commit) module
      """
    let made = try Shell.run("bash", "-c", script)
    try #require(made.status == 0, "\(made.errors)")
    return path
  }

  private static func items(_ paths: [String], _ environment: [String: String] = [:]) throws
    -> [Row]
  {
    let store = Store("git")
    let result = try Shell.run(
      Store.binary, ["import", "git"] + paths + ["--store", store.path], environment: environment)
    try #require(result.status == 0, "\(result.errors)")
    return try store.json(["items"], as: Row.self)
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files to others"))
  func `another user's checkout is none that is empty`() throws {
    let path = try Self.checkout("others")
    let bare = path + "-bare"
    try #require(try Shell.run("git", "clone", "-q", "--bare", path, bare).status == 0)
    try #require(try Shell.run("chown", "-R", "1234", bare).status == 0)
    try Self.expectDistrust(of: bare)
    try #require(try Shell.run("chown", "1234", path).status == 0)
    try Self.expectDistrust(of: path)
    try #require(try Shell.run("chown", "-R", "1234", path).status == 0)
    try Self.expectDistrust(of: path)
  }

  private static func expectDistrust(of path: String) throws {
    let result = try Shell.run(
      Store.binary, ["import", "git", path, "--store", Store("git").path],
      environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
    #expect(result.status == 66)
    #expect(
      result.errors == "cairn: \(path): is another user's, whose checkouts git reads only where it "
        + "is told to trust them: git config --global --add safe.directory FOLDER\n")
  }

  @Test func `settings of the user's own leave nothing out`() throws {
    let path = try Self.checkout("settings")
    let usual = try Self.items([path])
    #expect(usual.map(\.item) == ["folder/side", "folder/two", "module", "one"])
    let settings = try Scratch.file(
      "settings",
      Data(
        """
        [log]
          diffMerges = off
          showRoot = false
          showSignature = true
        [diff]
          ignoreSubmodules = all
          orderFile = /nonexistent
          relative = true
          renames = copies
        [core]
          quotePath = false
          abbrev = 5
        """.utf8))
    #expect(try Self.items([path], ["GIT_CONFIG_GLOBAL": settings]) == usual)
    #expect(try Self.items([path + "/folder"], ["GIT_CONFIG_GLOBAL": settings]) == usual)
  }

  @Test func `the checkout asked for is read, whichever one a hook is of, and several are`() throws
  {
    let (one, other) = (try Self.checkout("one"), try Self.checkout("other"))
    try #require(try Shell.run("git", "-C", other, "rm", "-q", "one").status == 0)
    try #require(
      try Shell.run(
        "git", "-C", other, "-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", "x"
      ).status == 0)
    let usual = try Self.items([one])
    #expect(try Self.items([one], ["GIT_DIR": other + "/.git"]) == usual)
    #expect(try Self.items([other]).map(\.item) == ["folder/side", "folder/two", "module"])
  }

  @Test func `repositories that come together share no item, and keep what they are called`() throws
  {
    let one = try Self.checkout("tide")
    let other = try Self.checkout("tide")
    let first = try #require(one.split(separator: "/").last)
    let second = try #require(other.split(separator: "/").last)
    let paths = ["folder/side", "folder/two", "module", "one"]
    let named = [first, second].flatMap { name in paths.map { "git:\(name)/\($0)" } }.sorted()
    #expect(try Self.items([one, other]).map(\.item).sorted() == named)

    // The first one alone has its bare paths, whatever comes later; so have its new commits.
    let store = Store("several")
    func run(_ words: String...) throws -> ProcessResult {
      try store.run(["import"] + words)
    }
    func items() throws -> [Row] { try store.json(["items"], as: Row.self) }
    #expect(try run("git", one).status == 0)
    let told = try run("git", other)
    #expect(told.status == 0 && told.errors.contains("git:\(second)/"), "\(told.errors)")
    let others = paths.map { "git:\(second)/\($0)" }
    #expect(try items().map(\.item).sorted() == (paths + others).sorted())
    let domains = try items().filter { $0.item.hasSuffix("/folder/two") }.map(\.domain)
    #expect(domains == ["git.\(second).folder"])
    for again in [["git", one, other], ["git", other]] {
      let result = try store.run(["import"] + again)
      #expect(result.status == 0 && result.text.contains("0 accepted"), "\(again): \(result.text)")
    }
    let script = """
      cd "\(one)" && echo new > new && git add new &&
      git -c user.name=A -c user.email=a@x commit -qm new
      """
    try #require(try Shell.run("bash", "-c", script).status == 0)
    #expect(try run("git", other, one).text.contains("1 accepted"))
    #expect(try items().map(\.item).contains("new"))
    #expect(try run("git", other, "--name", "harbour").status == 64)
  }

  @Test func `a name of one's own, and a folder's name that is taken`() throws {
    let (one, other) = (try Self.checkout("mine"), try Self.checkout("mine"))
    let store = Store("named")
    #expect(try store.run("import", "git", one, "--name", "tide").status == 0)
    #expect(try store.run("import", "git", other, "--name", "tide").status == 64)
    #expect(try store.run("import", "git", other, "--name", "a/b").status == 64)
    #expect(try store.run("import", "git", one, other, "--name", "x").status == 64)
    let copy = Scratch.path("elsewhere") + "/tide"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try #require(try Shell.run("git", "clone", "-q", other, copy).status == 0)
    #expect(try store.run("import", "git", copy).status == 0)
    let items = try store.json(["items"], as: Row.self).map(\.item)
    #expect(items.contains("git:tide/one") && items.contains("git:tide-2/one"), "\(items)")
    // Another clone of it is the same repository.
    #expect(try store.run("import", "git", other).text.contains("0 accepted"))
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: Checkout.root.path + "/.git"),
      "needs the history of this checkout"))
  func `the README shows what an import of this checkout says`() throws {
    let page = try String(contentsOf: Checkout.root.appending(path: "README.md"), encoding: .utf8)
    let lines = page.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex(of: "$ cairn import git ."))
    let result = try Store("readme").run("import", "git", Checkout.root.path)
    // Every commit adds to the number of events.
    #expect(result.text.replacing(/[0-9][0-9,]*[0-9]/, with: "…") == lines[place + 1] + "\n")
  }

  @Test func `a history with a hole in it is bad data, and not no checkout`() throws {
    let path = try Self.checkout("hole")
    let tree = try Shell.run("git", "-C", path, "rev-parse", "HEAD~1^{tree}").text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    try FileManager.default.removeItem(
      atPath: "\(path)/.git/objects/\(tree.prefix(2))/\(tree.dropFirst(2))")
    let result = try Store("hole").run("import", "git", path)
    #expect(result.status == 65 && result.errors.contains("fsck"), "\(result.errors)")
  }

  @Test func `what a checkout lacks is fetched by no program that it names`() throws {
    let path = try Self.checkout("lazy")
    let trace = Scratch.path("trace")
    let script = """
      set -e; cd "\(path)"
      tree=$(git rev-parse "$(git rev-list --max-parents=0 HEAD)^{tree}")
      rm -f ".git/objects/${tree:0:2}/${tree:2}"
      git config core.repositoryformatversion 1
      git config extensions.partialClone origin
      git config remote.origin.promisor true
      git config remote.origin.url "$PWD/.git"
      git config protocol.allow always
      git config remote.origin.uploadpack "touch '\(trace)'; git-upload-pack"
      """
    try #require(try Shell.run("bash", "-c", script).status == 0)
    let result = try Store("lazy").run("import", "git", path)
    #expect(result.status == 65 && result.errors.contains("fsck"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: trace))
  }

  @Test func `a folder that a purge blocks stays away with all that commits say of it`() throws {
    let path = try Self.checkout("blocked")
    let script = """
      cd "\(path)" && echo more >> folder/two && git add . &&
      git -c user.name=A -c user.email=a@x commit -qm more && git rm -q folder/side &&
      git -c user.name=A -c user.email=a@x commit -qm less
      """
    try #require(try Shell.run("bash", "-c", script).status == 0)
    let store = Store("blocked")
    #expect(try store.run("import", "git", path).status == 0)
    #expect(try store.run("purge", "--domain", "folder", "--block", "--yes").status == 0)
    let dry = try store.run("import", "git", path, "--dry-run").text
    #expect(dry.contains("left out, since a purge blocks them: 4"), "\(dry)")
    let again = try store.run("import", "git", path)
    #expect(again.text.contains("0 accepted") && again.text.contains("4 left out"), "\(again)")
    #expect(try !store.run("export").text.contains("folder/"))
  }
}
