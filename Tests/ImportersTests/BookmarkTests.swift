import Events
import Testing

@testable import Importers

/// What becomes of bookmarks that are not as one would write them.
@Suite struct BookmarkTests {
  private static func history(_ format: String, _ text: String) throws -> ImportedHistory {
    try ImportedHistory([(try MadeFile.file("bookmarks", text), format)])
  }

  @Test(arguments: [
    ("pocket-csv", "title,url,time_added\nA,https://a.example/,TIME\nB,https://b.example/,"),
    (
      "instapaper-csv",
      "URL,Title,Selection,Folder,Timestamp\nhttps://a.example/,A,,,TIME\nhttps://b.example/,B,,,"
    ),
    (
      "raindrop-csv",
      "url,title,folder,excerpt,created\nhttps://a.example/,A,,,TIME\nhttps://b.example/,B,,,"
    ),
    (
      "pinboard-json",
      #"[{"href":"https://a.example/","time":"TIME"},{"href":"https://b.example/","time":""}]"#
    ),
    (
      "wallabag-json",
      #"[{"url":"https://a.example/","created_at":"TIME"},{"url":"https://b.example/"}]"#
    ),
  ])
  func `a time that cannot be read is refused, and a missing one is none`(
    format: String, text: String
  ) throws {
    for time in ["yesterday", "99999999999999999999"] {
      let history = try Self.history(format, text.replacing("TIME", with: time))
      #expect(history.events.compactMap(\.item) == ["https://b.example/"])
      #expect(history.events.map(\.isUntimed) == [true])
      #expect(history.malformed.map { $0.hasSuffix(": no time") } == [true])
    }
  }
}
