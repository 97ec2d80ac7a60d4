import Events
import Foundation
import Testing

@testable import Importers

/// The same format as more than one program writes it.
@Suite struct DialectTests {
  @Test func `fields of a log of CloudFront are parted by tabs`() throws {
    let text = """
      #Version: 1.0
      #Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query
      2019-12-04\t21:02:31\t192.0.2.1\tGET\t/a/b.html\t200\tMozilla/5.0%20(X)\tq=1
      2019-12-04 21:02:32 192.0.2.1 GET /c.html 304 - -

      """
    let history = try ImportedHistory([(try MadeFile.file("cf.log", text), "w3c")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["/a/b.html?q=1", "/c.html"])
    #expect(history.events.map(\.actor) == ["192.0.2.1", "192.0.2.1"])
  }

  @Test func `a book is heard in the short history of Spotify, too`() throws {
    let text = """
      [{"endTime":"2024-01-02 10:11","authorName":"Ann","audiobookName":"Tides",
      "chapterName":"One","msPlayed":60000}]
      """
    let history = try ImportedHistory([(try MadeFile.file("heard.json", text), "spotify")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["book:Tides"])
    #expect(history.events.map { $0.time?.rfc3339 } == ["2024-01-02T10:10:00Z"])
  }

  @Test(arguments: [
    (#"cut \ud83d"#, "cut \u{FFFD}"), (#"\ude00 \ud83d\ude00"#, "\u{FFFD} 😀"),
    (#"\\ud83d"#, #"\ud83d"#), (#"\ud83dx\u0041"#, "\u{FFFD}xA"),
  ]) func `half a character at the end of a title costs no record`(json: String, title: String)
    throws
  {
    let text = #"[{"url":"https://a.example/","dt":1700000000,"metadata":{"title":"\#(json)"}}]"#
    let history = try ImportedHistory([(try MadeFile.file("b.json", text), "browserexport")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.map { $0.text("title") } == [title])
  }

  @Test func `the likes and the account in an archive of Mastodon are no posts`() throws {
    let likes = #"{"@context":"x","orderedItems":["https://a"]}"#
    let history = try ImportedHistory([(try MadeFile.file("likes.json", likes), "outbox")])
    #expect(history.malformed.isEmpty && history.failure == nil)
    #expect(history.skipped == ["address without an act": 1])
    let actor = #"{"@context":["https://www.w3.org/ns/activitystreams"],"type":"Person"}"#
    let path = try MadeFile.file("actor.json", actor)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file) == nil)
  }

  @Test func `the time 0 in a history of zsh is none`() throws {
    let text = ": 0:0;old\n: 1700000000:0;new\n: 0:0;old\n: -5:0;never\n"
    let history = try ImportedHistory([(try MadeFile.file(".zsh_history", text), "zsh")])
    #expect(history.events.compactMap(\.item) == ["shell:old", "shell:new", "shell:old"])
    #expect(history.events.map { $0.time?.seconds } == Array(repeating: 1_700_000_000, count: 3))
    #expect(history.malformed.count == 1 && Set(history.ids).count == 3)
    let bare = try ImportedHistory([(try MadeFile.file("h", ": 0:0;old\n"), "zsh")])
    #expect(bare.events.map(\.isUntimed) == [true])
  }

  @Test func `a second export behind the first is not passed over in silence`() throws {
    let text = #"[{"ts":"2024-01-02T10:11:00Z","ms_played":1000,"spotify_track_uri":"spotify:1"}]"#
    let history = try ImportedHistory([(try MadeFile.file("s.json", text + text), "spotify")])
    #expect(history.events.count == 1)
    #expect(history.malformed.map { $0.contains("after the end") } == [true])
    let spaced = try ImportedHistory([(try MadeFile.file("s.json", text + " \n\n"), "spotify")])
    #expect(spaced.events.count == 1 && spaced.malformed.isEmpty)
  }

  @Test func `a name with properties does not end the list of Emacs`() throws {
    let text = """
      (setq recentf-list
            '(
              "/home/a/(one).txt"
              #("/home/a/two.txt" 0 5 (face bold help-echo "tip"))
              "/home/a/three.txt"
              ))

      (setq recentf-filter-changer-current 'nil "/home/a/none")
      """
    let history = try ImportedHistory([(try MadeFile.file("recentf", text), "recentf")])
    #expect(history.malformed.isEmpty)
    #expect(
      history.events.compactMap(\.item) == [
        "file:///home/a/three.txt", "file:///home/a/two.txt", "file:///home/a/(one).txt",
      ])
  }
}
