import Foundation
import Testing

/// Lines that are right to whoever types them and find nothing: what is said.
@Suite struct SlipTests {
  private static func pages() throws -> Store {
    try Store(running: [
      ["index", "https://a.example/", "--domain", "web.example.a", "--title", "Tide"],
      ["view", "https://a.example/"],
    ])
  }

  @Test func `the domain of a host's pages is named wherever one can ask for it`() throws {
    let store = try Self.pages()
    let lines = [
      ["search", "tide"], ["items"], ["items", "--count"], ["top"], ["log"], ["timeline"],
      ["find", "tide"],
    ]
    for line in lines {
      let result = try store.run(line + ["--domain", "a.example"])
      #expect(result.status == 0)
      #expect(
        result.errors
          == "cairn: --domain: pages of a.example are in another domain, with 1 item: "
          + "--domain web.example.a\n", "\(line)")
      #expect(try store.run(line + ["--domain", "web.example.a"]).errors.isEmpty, "\(line)")
      #expect(try store.run(line + ["--domain", "b.example"]).errors.isEmpty, "\(line)")
    }
    let purge = try store.run("purge", "--domain", "a.example", "--dry-run")
    #expect(purge.errors.contains("--domain web.example.a"))
  }

  @Test func `a range that ends before it begins is refused by both its ends`() throws {
    let store = try Self.pages()
    for command in ["log", "replay"] {
      let result = try store.run(command, "--from", "2", "--to", "1")
      #expect(result.status == 64 && result.errors.contains("--from is after --to"), "\(command)")
      #expect(try store.run(command, "--to", "0").status == 0, "\(command)")
    }
    let proof = try store.run("prove", "consistency", "2", "1")
    #expect(proof.status == 1 && proof.errors.contains("name the smaller one first"))
  }

  @Test func `a number may stand beside its letter, and only once`() throws {
    let store = Store()
    for name in ["a", "b", "c", "d"] {
      try #require(store.run("view", name, "--title", "Toy \(name)").status == 0)
    }
    for line in [["log"], ["items"], ["top"], ["search", "toy"]] {
      #expect(try store.run(line + ["--json", "-n3"]).objects().count == 3, "\(line)")
      #expect(try store.run(line + ["--json", "-n", "3"]).objects().count == 3, "\(line)")
      #expect(try store.run(line + ["--json", "-n0"]).objects().count == 4, "\(line)")
      for more in [["-n3", "-n2"], ["-n", "3", "-n2"], ["-n3", "--limit", "2"]] {
        let twice = try store.run(line + more)
        #expect(twice.status == 64, "\(line + more)")
        #expect(twice.errors.contains("--limit is given twice"), "\(twice.errors)")
      }
      #expect(try store.run(line + ["-nx"]).status == 64)
    }
    #expect(try store.run("suggest", "to", "-n1", "--json").objects().count == 1)
  }

  @Test(arguments: [["view", "-hal"], ["index", "-dash", "--title", "x"], ["purge", "-xh"]])
  func `a word with an h in it is not a call for help`(line: [String]) throws {
    let result = try Self.pages().run(line)
    #expect(result.status == 64 && result.output.isEmpty, "\(result.text)")
    #expect(result.errors.contains("has no option '\(line[1])'"), "\(result.errors)")
    #expect(result.errors.contains("stands behind --"), "\(result.errors)")
    for help in ["-h", "-help", "--help"] {
      #expect(try Store().run(line[0], help).text.contains("OVERVIEW"), "\(help)")
    }
  }

  @Test(arguments: ["-h", "-help", "--help"])
  func `help about what is no command says so`(help: String) throws {
    for (line, said) in [
      (["searh", help], "no command 'searh'; did you mean search?"),
      (["snapshot", "creat", help], "has no command 'creat'; did you mean create?"),
    ] {
      let result = try Store().run(line)
      #expect(result.status == 64 && result.output.isEmpty, "\(result.text)")
      #expect(result.errors.contains(said), "\(result.errors)")
    }
    for line in [["snapshot", "create", help], ["serve", help], ["import", "web", help], [help]] {
      #expect(try Store().run(line).text.contains("OVERVIEW"), "\(line)")
    }
  }

  @Test func `a word that is no item is told of, and a time as one`() throws {
    let store = try Self.pages()
    let time = try store.run("log", "yesterday")
    #expect(time.status == 0)
    #expect(
      time.errors == "cairn: no event is about an item 'yesterday'; for a time: "
        + "cairn log --since yesterday\n")
    #expect(try store.run("log", "2 days ago").errors.contains("--since '2 days ago'"))
    #expect(try store.run("log", "2025").errors.contains("cairn log --since 2025"))
    #expect(try store.run("log", "5").errors.contains("cairn log -n 5"))
    #expect(try store.run("log", "münchen").errors.contains("cairn search"))
    #expect(try store.run("log", "https://a.example/", "--kind", "delete").errors.isEmpty)
    let revert = try store.run("revert", "--to", "1", "--item", "münchen", "--dry-run")
    #expect(revert.errors.contains("no event is about an item 'münchen'"), "\(revert.errors)")
    let show = try store.run("show", "münchen")
    #expect(show.status == 1 && show.errors.contains("cairn search"), "\(show.errors)")
  }

  @Test func `a purge of what is not there says so, and what may be meant`() throws {
    let store = try Self.pages()
    for (words, said) in [
      (["--item", "https://b.example/"], "no event is about an item 'https://b.example/'; "),
      (
        ["--domain", "web.example.b"],
        "no domain is named 'web.example.b'; did you mean "
          + "--domain 'web.example.a'?"
      ),
      (["--domain", "wbe"], "no domain is named 'wbe'; did you mean --domain 'web'?"),
      (["--domain", "photos"], "no domain is named 'photos'\n"),
      (["--actor", "ann"], "no actor is named 'ann'\n"),
    ] {
      for mode in ["--dry-run", "--yes"] {
        let result = try store.run(["purge"] + words + [mode])
        #expect(result.status == 0 && result.errors.contains(said), "\(result.errors)")
      }
    }
    for words in [["--domain", "web.example", "--actor", "ann"], ["--domain", "web.example.a"]] {
      let result = try store.run(["purge"] + words + ["--dry-run"])
      #expect(!result.errors.contains("no domain"), "\(result.errors)")
    }
  }

  @Test(arguments: [
    ("open", "cairn find --open"), ("tag", "cairn update"), ("remember", "cairn index"),
    ("query", "cairn search"), ("rollback", "cairn undo"), ("get", "cairn show"),
    ("compact", "cairn retention"), ("du", "cairn stats --sizes"), ("clone", "cairn backup"),
    ("last", "cairn log -n 5"), ("today", "cairn log --since"), ("blame", "cairn log ITEM"),
    ("favorites", "cairn top"), ("graph", "cairn timeline"), ("fsck", "cairn doctor"),
    ("upgrade", "cairn migrate"), ("start", "cairn serve"), ("wipe", "cairn purge"),
    ("undelete", "cairn undo"), ("head", "cairn log -n 5"),
  ]) func `words of other programs lead to what there is`(word: String, there: String) throws {
    let result = try Store().run(word, "x")
    #expect(result.status == 64 && result.errors.contains(there), "\(result.errors)")
  }

  @Test(arguments: ["--sort", "--facet", "--group-by"])
  func `an attribute without an order or counts says how it comes to them`(option: String) throws {
    let result = try Self.pages().run("items", option, "price")
    #expect(result.status == 64 && result.errors.hasPrefix("cairn: \(option): the schema declares"))
    #expect(result.errors.hasSuffix("; see: cairn help schemas\n"), "\(result.errors)")
  }

  @Test func `options of other programs lead to what there is`() throws {
    let store = try Self.pages()
    for (line, offer) in [
      (["index", "x", "--tag", "y"], "did you mean --keyword?"),
      (["search", "x", "--max", "3"], "did you mean --limit?"),
      (["log", "--user", "ann"], "did you mean --actor?"),
      (["log", "-5"], "did you mean -n 5?"), (["search", "x", "-12"], "did you mean -n 12?"),
      (["export", "-o", "x"], "it writes to standard output: > FILE;"),
      (["log", "--from", "yesterday"], "; for a time: --since; see: cairn help log"),
      (["log", "--to=today"], "; for a time: --until; see: cairn help log"),
      (["log", "--today"], "a day is named by --since and --until;"),
      (["log", "--format", "json"], "did you mean --json?"),
      (["timeline", "--week"], "cairn timeline --by day, week or month counts by these;"),
      (["purge", "--older-than", "90d"], "did you mean --before?"),
      (["retention", "add", "--max-age", "90"], "did you mean --days?"),
      (["verify", "--fix"], "cairn doctor says what is wrong, and what to do;"),
      (["import", "chrome"], "did you mean chromium?"),
      (["export", "--actor", "ann"], "; cairn log --actor … --json gives these;"),
      (["retention", "show"], "did you mean list?"),
      (["items", "--at", "1"], "did you mean --as-of?"),
      (["items", "--order-by", "title"], "did you mean --sort?"),
      (["import", "firefox"], "or have it found: cairn import auto"),
    ] {
      let result = try store.run(line)
      #expect(result.status == 64 && result.errors.contains(offer), "\(result.errors)")
    }
    #expect(try store.run("-v").text == store.run("--version").text)
  }

  @Test(arguments: [
    ("a.json", "[{\"kind\":\"view\",\"item\":\"a\"}]", "jq -c '.[]'"),
    ("a.json", "{\n \"kind\":\"view\"}", "an event is one line with a `kind`"),
    ("a.csv", "user,page\nann,/x\n", "--column item=COLUMN"), ("a.bin", "\u{1}", "--list"),
    ("a.log", "[21/Oct/2024:10:00:00 +0000] ::1 GET /\n", "--list"),
  ]) func `a file that is meant to hold events says what it lacks`(
    name: String, text: String, advice: String
  ) throws {
    let folder = Scratch.path("meant")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    let result = try Store().run("import", folder + "/" + name)
    #expect(result.status == 65 && result.errors.contains(advice), "\(result.errors)")
  }

  @Test func `what is neither a number of events nor a time is told of as both`() throws {
    let result = try Self.pages().run("undo", "last")
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix("cairn: neither a number of events nor a time: "), "\(result.errors)")
  }

  @Test func `the command of two words is named by both`() throws {
    let result = try Store().run("import", "web")
    #expect(result.status == 64)
    #expect(result.errors.hasSuffix("; see: cairn help import web\n"), "\(result.errors)")
  }

  @Test(arguments: ["forget", "remove", "rm"]) func `words for erasing point to what there is`(
    word: String
  ) throws {
    let store = try Self.pages()
    let result = try store.run(word, "https://a.example/")
    #expect(result.status == 64)
    #expect(result.errors.contains("cairn delete") && result.errors.contains("cairn purge"))
    #expect(try store.headNow() == 2)
  }
}
