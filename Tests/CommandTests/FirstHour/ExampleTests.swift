import Foundation
import TestSupport
import Testing

private let hasGit = (try? Shell.run("git", "--version").status == 0) ?? false

/// The lines that the README, an article and the help give as examples, run as they are printed and
/// in the order they stand.
@Suite(.enabled(if: hasGit, "git is not installed")) struct ExampleTests {
  /// A home in which what the examples read is there, and `cairn` is the one that is tested.
  private struct Room {
    let home = Scratch.path("examples")

    init() throws {
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      let made = try run(
        """
        mkdir bin && ln -s '\(Store.binary)' bin/cairn
        for place in project tide; do
          git init -q src/$place && cd src/$place && echo $place > a.txt && git add a.txt
          git -c user.name=A -c user.email=a@x commit -qm Tide && cd ../..
        done
        echo '1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5' > access.log
        echo '{"kind":"view","item":"a","attributes":{"title":"A"}}' > events.ndjson
        printf 'URL,Name,Time\\nhttps://a.example/,Tide,2026-11-01T10:00:00Z\\n' > v.csv
        """)
      try #require(made.status == 0, "\(made.errors)")
    }

    /// Runs a line as bash does for somebody at home.
    func run(_ line: String) throws -> ProcessResult {
      try Shell.run(
        "/bin/bash", ["-c", "set -o pipefail; \(line)"], input: Data(), directory: home,
        environment: [
          "HOME": home, "PATH": "\(home)/bin:/usr/bin:/bin", "CAIRN_STORE": "\(home)/store",
          "XDG_DATA_HOME": "", "XDG_RUNTIME_DIR": home, "GIT_CONFIG_GLOBAL": "/dev/null",
        ])
    }

    /// Runs the examples, but for those that go on until they are ended or want a terminal.
    func follow(_ lines: [String], ending otherwise: [String: Int32]) throws {
      var left = Set(otherwise.keys)
      for line in lines where !["cairn find", "cairn serve"].contains(where: line.hasPrefix) {
        let result = try run(line.replacing("/tmp/", with: home + "/"))
        let status = otherwise.first { line.hasPrefix($0.key) }
        left.remove(status?.key ?? "")
        #expect(result.status == status?.value ?? 0, "\(line): \(result.errors)")
      }
      #expect(left.isEmpty, "no example any more: \(left)")
    }
  }

  /// The commands in the blocks of a page that are no program.
  private static func commands(of page: String) throws -> [String] {
    let text = try String(contentsOf: Checkout.root.appending(path: page), encoding: .utf8)
    var fence: Substring?
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") {
        fence = fence == nil ? line.dropFirst(3) : nil
      } else if fence == "", line.hasPrefix("cairn ") {
        return String(line)
      }
      return nil
    }
  }

  @Test func `every line of the README and of Erasure does what it says`() throws {
    let lines = try Self.commands(of: "README.md")
    #expect(lines.count > 45)
    let room = try Room()
    // Fewer uses than there have to be, as the line says.
    try room.follow(lines, ending: ["cairn evaluate": 1])
    try room.follow(Self.commands(of: "Sources/Cairn/Cairn.docc/Erasure.md"), ending: [:])
  }

  @Test func `every example of the help does what it says`() throws {
    let dump = try Shell.run(Store.binary, ["--experimental-dump-help"]).output
    let help = try #require(JSONSerialization.jsonObject(with: dump) as? [String: Any])
    let lines = Self.examples(of: try #require(help["command"] as? [String: Any]))
    #expect(lines.count > 40)
    let room = try Room()
    let schema =
      #"{"cairnSchema":1,"domains":{"":{"attributes":{"year":{"type":"integer","sortable":true,"#
      + #""facet":true},"genre":{"type":"keyword","facet":true}}}}}"#
    let told = try room.run(
      """
      echo '\(schema)' > schema.json && cairn schema set schema.json
      cairn index notes/harbour --title 'Harbour tide' --set pageCount:=320 --set year:=1999 \\
        --set 'authorNames:=["Jane Roe"]' --actor 83.149.9.216
      cairn index x --title X && cairn index h --domain hr --title H --time 2020
      cairn view notes/harbour --time 'last month' && cairn snapshot create before
      cairn backup copy && cairn restore copy --into ~/backup
      """)
    try #require(told.status == 0, "\(told.errors)")
    try room.follow(
      lines,
      ending: [
        // These two ask, and nobody is there to answer.
        "cairn import auto --except": 64, "cairn purge --filter": 64,
        "cairn import takeout.zip": 66,
        // The copy is from before the other examples.
        "cairn replay --until-differs": 1,
      ])
  }

  /// The examples of a command and of those below it, without what stands beside them.
  private static func examples(of command: [String: Any]) -> [String] {
    let lines = (command["discussion"] as? String ?? "").split(separator: "\n")
    let own = lines.filter { $0.hasPrefix("  cairn ") }.map { line in
      let text = line.dropFirst(2)
      return String(text[..<(text.firstRange(of: "   ")?.lowerBound ?? text.endIndex)])
    }
    let below = command["subcommands"] as? [[String: Any]] ?? []
    return own + below.flatMap { examples(of: $0) }
  }
}
