import Events
import Testing

@testable import Importers

@Suite struct `Reading git's history` {
  static let one = String(repeating: "1", count: 40)
  static let two = String(repeating: "2", count: 40)

  static let stream = Array(
    """
    \u{1}\(one) 100\0Ann Ö\0a subject\0
    :000000 100644 \(two) \(one) A\0a b\0:000000 100644 \(two) \(one) A\0:odd/\u{1}name\0\
    \u{1}\(two) 90\0\0\0\u{1}\(one) 120\0Bob\0\u{1}looks like a header\0
    :100644 120000 \(one) \(two) T\0a b\0:100644 000000 \(one) \(two) D\0:odd/\u{1}name\0
    """.utf8.dropLast(0))

  private static func commits(_ stream: [UInt8], pieces: Int) throws -> [GitCommit] {
    var log = GitLog()
    var commits: [GitCommit] = []
    for start in stride(from: 0, to: stream.count, by: pieces) {
      commits += try log.read(stream[start..<min(start + pieces, stream.count)])
    }
    if let last = try log.finish() { commits.append(last) }
    return commits
  }

  @Test func `commits come out with their changes, whatever paths and subjects look like`() throws {
    let commits = try Self.commits(Self.stream, pieces: Self.stream.count)
    try #require(commits.count == 3)
    #expect(commits[0].author == "Ann Ö")
    #expect(commits[0].changes.map(\.path) == ["a b", ":odd/\u{1}name"])
    #expect(commits[0].changes.map(\.kind) == [.added, .added])
    #expect(commits[1] == GitCommit(hash: Self.two, time: 90, author: "", subject: ""))
    #expect(commits[2].subject == "\u{1}looks like a header")
    #expect(commits[2].changes.map(\.kind) == [.modified, .deleted])
    #expect(commits[2].changes.map(\.blob) == [Self.two, ""])
  }

  @Test func `how the stream is cut makes no difference`() throws {
    let whole = try Self.commits(Self.stream, pieces: Self.stream.count)
    for pieces in 1..<40 { #expect(try Self.commits(Self.stream, pieces: pieces) == whole) }
  }

  @Test(arguments: [
    "fatal: not a git repository", "\u{1}abc\0", ":100644 100644 1 2 M\0a\0", "\u{1}abc 1\0who",
  ]) func `something else than a log is refused`(text: String) {
    #expect(throws: (any Error).self) { try Self.commits(Array(text.utf8), pieces: 7) }
  }

  @Test func `a path that is not UTF-8 is read as Latin-1`() throws {
    var stream = Array("\u{1}\(Self.one) 1\0a\0s\0\n:0 1 0 \(Self.one) A\0caf".utf8)
    stream += [0xE9, 0]
    #expect(try Self.commits(stream, pieces: 5)[0].changes[0].path == "café")
  }

  @Test func `a commit with a time that cannot be is refused, and no other`() throws {
    let stream = "\u{1}\(Self.one) \0a\0s\0\u{1}\(Self.two) 18446744073709551615\0a\0s\0"
    #expect(try Self.commits(Array(stream.utf8), pieces: 9).map(\.time) == [.max, .max])
    var times: [Int64?] = []
    var reasons: [String] = []
    let collector = Collector(
      options: ImportedHistory.options, malformed: { _, reason, _ in reasons.append(reason) }
    ) { times.append($0.time) }
    var reader = Git.Reader()
    for time: Int64 in [0, .max, 9_999_999_999_999_999, 253_402_300_800, 120] {
      let change = GitChange(kind: .modified, path: "a", blob: Self.one)
      try reader.add(
        GitCommit(hash: "h", time: time, author: "Ann", subject: "s", changes: [change]),
        to: collector)
    }
    #expect(times == [0, 120_000_000])
    #expect(reasons == Array(repeating: "no time, in commit h", count: 3))
    #expect(reader.latest == 120_000_000)
  }

  @Test func `recorded never goes back though commit times do, and ids are stable`() throws {
    func events() throws -> [Event] {
      var reader = Git.Reader()
      var events: [Event] = []
      let ids = DerivedID(key: [7])
      let collector = Collector(options: ImportedHistory.options, malformed: { _, _, _ in }) {
        let id = ids.make($0.identity)
        events.append($0.event(source: "git", id: id, untimed: 0))
      }
      for time: Int64 in [100, 90, 120] {
        let change = GitChange(kind: .added, path: "a.b/c%d/e f.txt", blob: Self.one)
        try reader.add(
          GitCommit(hash: "h\(time)", time: time, author: "Ann", subject: "s", changes: [change]),
          to: collector)
      }
      return events
    }
    let first = try events()
    #expect(first.compactMap { $0.recorded?.seconds } == [100, 100, 120])
    #expect(first.compactMap { $0.time?.seconds } == [100, 90, 120])
    #expect(first[0].domain.value == "a%2Eb.c%25d")
    #expect(first[0].text("title") == "e f.txt")
    let ids = first.compactMap { $0.id?.uuidString }
    #expect(Set(ids).count == 3)
    #expect(try events().compactMap { $0.id?.uuidString } == ids)
  }
}
