import Foundation
import Testing

/// What bash completes of a store.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash"))
struct CompletionTests {
  private static func completed(
    _ words: [String], of line: String? = nil, environment: [String: String] = [:]
  ) throws -> [String] {
    let line = line ?? words.joined(separator: " ")
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source <('\(Store.binary)' --generate-completion-script bash)
      cairn() { '\(Store.binary)' "$@"; }
      COMP_WORDS=(cairn \(list)); COMP_CWORD=\(words.count)
      COMP_LINE="cairn $LINE"; COMP_POINT=${#COMP_LINE}
      _cairn cairn '\(words.last ?? "")' '\(words.dropLast().last ?? "cairn")'
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let told = environment.merging(["LINE": line]) { $1 }
    let result = try Shell.run("/bin/bash", ["-c", script], environment: told)
    return result.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func `domains and snapshots of the store are completed`() throws {
    let store = Store()
    for (item, domain) in [("a", "work.reports"), ("b", "work.notes"), ("c", "home")] {
      try #require(store.run("index", item, "--domain", domain).status == 0)
    }
    try #require(store.run("snapshot", "create", "before-move").status == 0)
    let named = ["--store", store.path]
    #expect(
      try Self.completed(["items"] + named + ["--domain", "wo"]) == ["work.notes", "work.reports"])
    let environment = ["CAIRN_STORE": store.path]
    #expect(
      try Self.completed(["purge", "--domain", "h"], environment: environment) == ["home"])
    #expect(
      try Self.completed(["search", "x", "--as-of", "bef"], environment: environment)
        == ["before-move"])
    for words in [["snapshot", "show", ""], ["diff", "bef"], ["revert", "--to", "bef"]] {
      #expect(try Self.completed(words, environment: environment) == ["before-move"])
    }
    #expect(
      try Self.completed(["items", "--store", store.path + "-none", "--domain", ""]).isEmpty)
  }

  @Test func `items are completed by how their identifiers begin`() throws {
    let store = Store()
    for item in ["note-1", "note-2", "a\nnote-3", "with blanks", "https://example.org/"] {
      try #require(store.run("index", item, "--title", "T").status == 0)
    }
    let environment = ["CAIRN_STORE": store.path]
    for words in [
      ["show", "no"], ["log", "no"], ["delete", "note-1", "no"], ["purge", "--item", "no"],
      ["select", "tide", "no"], ["search", "--after", "no"], ["replay", "--trace", "no"],
    ] {
      let found = try Self.completed(words, environment: environment)
      #expect(found == ["note-1", "note-2"], "\(words)")
    }
    #expect(try Self.completed(["show", "note-1"], environment: environment) == ["note-1"])
    #expect(try Self.completed(["show", "wi"], environment: environment) == ["with blanks"])
    #expect(try Self.completed(["show", "x"], environment: environment).isEmpty)
    // To zsh what follows a colon is the meaning of what stands before it.
    let asked = ["---completion", "show", "--", "positional@0", "2", "0", "cairn", "show", ""]
    // To fish what follows a tab is, else the option's help, beside each name.
    for (shell, name) in [("zsh", #"https\://example.org/"#), ("fish", "https://example.org/\t")] {
      let told = environment.merging(["SAP_SHELL": shell]) { $1 }
      let names = try Shell.run(Store.binary, asked, environment: told).text
      #expect(names.split(separator: "\n").contains { $0 == name }, "\(names)")
    }
    try #require(store.run("index", "a:\u{301}b", "--title", "T").status == 0)
    let names = try Shell.run(
      Store.binary, asked, environment: ["CAIRN_STORE": store.path, "SAP_SHELL": "zsh"])
    #expect(
      names.text.utf8.split(separator: 0x0A).contains { $0.elementsEqual("a\\:\u{301}b".utf8) })
  }

  @Test func `words that Bash cuts at colons, quotes or escapes are completed`() throws {
    let store = Store()
    for item in ["https://example.org/a", "https://example.org/b", "a b:c"] {
      try #require(store.run("index", item, "--title", "T").status == 0)
    }
    let environment = ["CAIRN_STORE": store.path]
    let cases: [([String], String, [String])] = [
      (["show", "https", ":", "//ex"], "show https://ex", ["//example.org/a", "//example.org/b"]),
      (
        ["purge", "--item", "https", ":", "//example.org/b"],
        "purge --item https://example.org/b", ["//example.org/b"]
      ),
      (
        ["show", #"https\://example.org/a"#], #"show https\://example.org/a"#,
        ["https://example.org/a"]
      ),
      (["show", #"a\ "#], #"show a\ "#, ["a b:c"]),
      (["show", #"a\ b"#, ":", "c"], #"show a\ b:c"#, ["c"]),
      // Apart from each other they are words.
      (["show", ":", "https"], "show : https", []),
    ]
    for (words, line, expected) in cases {
      #expect(try Self.completed(words, of: line, environment: environment) == expected, "\(line)")
    }
  }

  @Test func `a value is completed behind an equals sign too`() throws {
    let store = Store()
    try #require(store.run("index", "https://a.org/", "--domain", "work").status == 0)
    let environment = ["CAIRN_STORE": store.path]
    let cases: [([String], String, [String])] = [
      (["search", "--sort", "=", "re"], "search --sort=re", ["relevance", "recent"]),
      (["items", "--domain", "=", "wo"], "items --domain=wo", ["work"]),
      (["purge", "--item", "=", "https", ":", "//a"], "purge --item=https://a", ["//a.org/"]),
      (
        ["items", "--domain", "=", "work", "--as-of", "=", "he"],
        "items --domain=work --as-of=he", ["head"]
      ),
      // A word by itself is none.
      (["search", "--sort", "=", "re"], "search --sort = re", []),
    ]
    for (words, line, expected) in cases {
      #expect(try Self.completed(words, of: line, environment: environment) == expected, "\(line)")
    }
    // Zsh and fish give the option with the value.
    let asked = ["---completion", "items", "--", "--domain", "2", "11", "cairn", "items"]
    for shell in ["zsh", "fish"] {
      let told = environment.merging(["SAP_SHELL": shell]) { $1 }
      let names = try Shell.run(Store.binary, asked + ["--domain=wo"], environment: told).text
      #expect(names.hasPrefix("work"), "\(names)")
    }
    let script = try Shell.run(Store.binary, ["--generate-completion-script", "zsh"]).text
    #expect(script.contains("'--sort=[") && script.contains("'--json["))
  }

  /// A folder of somebody's repository is a domain, whatever it is called.
  @Test func `a name from elsewhere runs nothing, and one with blanks or quotes is completed`()
    throws
  {
    let store = Store()
    let mark = Scratch.path("ran")
    for name in ["a$(touch $MARK)", "a`touch $MARK`", "a(b) c", "ao'neil"] {
      try #require(store.run("index", name, "--domain", name).status == 0)
      try #require(store.run("snapshot", "create", name).status == 0)
    }
    let environment = ["CAIRN_STORE": store.path, "MARK": mark]
    for words in [
      ["items", "--domain", "a"], ["snapshot", "show", "a"], ["top", "--as-of", "a"],
    ] {
      let found = try Self.completed(words, environment: environment)
      #expect(found == ["a(b) c", "ao'neil"], "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  static let values: [([String], [String])] = [
    (["log", "--kind", "v"], ["view"]), (["purge", "--kind", "sel"], ["select"]),
    (["retention", "add", "--kind", "im"], ["impression"]),
    (["search", "x", "--stem", "d"], ["da", "de"]),
    // Of commands under their other names, and of the one that has two words.
    (["ls", "--off"], ["--offset"]), (["add", "x", "--key"], ["--keyword"]),
    (["history", "--kind", "v"], ["view"]), (["status", "--hor"], ["--horizon"]),
    (["import", "web", "--bas"], ["--base"]), (["import", "--li"], ["--list"]),
    (["import-"], []), (["impor"], ["import"]),
    (["import", "fire"], ["firefox", "firefox-json"]), (["import", "aut"], ["auto", "autojump"]),
    (["import", "git", "aut"], []),
    // What help tells of: commands and pages.
    (["help", "sche"], ["schema", "schemas"]), (["help", "ti"], ["timeline", "times"]),
    (["help", "schema", "s"], []),
    // What serve does by itself.
    (["serve", "--lis"], ["--listen"]), (["serve", "--read-only", "--lis"], ["--listen"]),
    (["serve", "--activitywatch", "in"], ["ingest"]), (["serve", "to"], ["token"]),
    (["rebuild", "cat"], ["catalog"]), (["rebuild", "--only", "ran"], ["ranking"]),
  ]

  @Test(arguments: values)
  func `what the help lists is completed`(words: [String], expected: [String]) throws {
    #expect(try Self.completed(words) == expected)
  }

  @Test(arguments: [
    ("zsh", ["ls|list) words[1]=items ;;", "words[1]=import-web", "words=(serve run "]),
    ("fish", ["case ls list", "unparsed_tokens[1] import-web", "unparsed_tokens serve run "]),
  ]) func `other shells know these names, too`(shell: String, parts: [String]) throws {
    let script = try Shell.run(Store.binary, "--generate-completion-script", shell).text
    for part in parts { #expect(script.contains(part)) }
    #expect(!script.contains("'import-web:") && !script.contains("-fa 'import-web'"))
  }

  @Test func `other shells complete what help tells of, and options beside free words`() throws {
    let fish = try Shell.run(Store.binary, "--generate-completion-script", "fish").text
    #expect(fish.contains(#""cairn help" -eq 1' -fa 'init append "#) && fish.contains(" schemas'"))
    let zsh = try Shell.run(Store.binary, "--generate-completion-script", "zsh").text
    #expect(zsh.contains("'1:topic:(init append ") && zsh.contains(" times points schemas)'"))
    // The message that zsh shows for a word without completions keeps it from inserting options.
    #expect(zsh.contains("'*:words:()'") && zsh.contains("':prefix:()'"))
    let lines = zsh.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(!lines.contains { ($0.hasPrefix("'*:") || $0.hasPrefix("':")) && $0.hasSuffix(":'") })
  }

  @Test func `what is imported may be a format or a file to other shells, too`() throws {
    let zsh = try Shell.run(Store.binary, "--generate-completion-script", "zsh").text
    #expect(zsh.contains("'1:words:{_alternative \"formats:format:(auto web ndjson "))
    let fish = try Shell.run(Store.binary, "--generate-completion-script", "fish").text
    #expect(fish.contains(#""cairn import" -eq 1' -a 'auto\t web\t ndjson\t "#))
    #expect(fish.contains(#""cairn import" -ge 1' -F"#))
  }

  @Test func `fish shows no option's help beside each of its values`() throws {
    let script = try Shell.run(Store.binary, "--generate-completion-script", "fish").text
    let kinds = #"-rfka 'index\t update\t delete\t view\t select\t impression\t purge\t"#
    #expect(script.contains(kinds))
    #expect(!script.contains("-rfka 'index update"))
  }
}
