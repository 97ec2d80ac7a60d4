import Events
import Foundation
import Testing

@testable import Importers

/// Files that are known by their content, as real exports begin.
@Suite struct RecognitionTests {
  /// What is read of a file whose format nobody told.
  private static func history(_ name: String, _ text: String) throws -> ImportedHistory {
    let path = try MadeFile.file(name, text)
    let file = try InputFile(path, options: ImportedHistory.options)
    let format = try #require(HistoryFormats.format(of: file), "\(name)")
    return try ImportedHistory([(path, format.name)])
  }

  @Test(arguments: ["Session", "Typed Url", "Shared Tab Group"])
  func `what a Takeout tells before the history of Chrome may be long`(section: String) throws {
    let other = #"{"title": "\#(String(repeating: "x", count: 1000))"}"#
    let others = Array(repeating: other, count: 300).joined(separator: ",\n")
    let visit = #"{"url": "https://a.example/", "time_usec": 1700000000123456}"#
    let text = "{\n  \"\(section)\": [\(others)],\n  \"Browser History\": [\(visit)]\n}"
    let history = try Self.history("History.json", text)
    #expect(history.events.map(\.time?.microseconds) == [1_700_000_000_123_456])
    // Older exports have these in a file of their own, which costs an archive nothing.
    let alone = try Self.history("Omnibox.json", "{\"\(section)\": [\(other)]}")
    #expect(alone.events.isEmpty && alone.malformed.isEmpty && alone.failure == nil)
  }

  @Test func `viminfo is known in the languages of Vim`() throws {
    let text = """
      # Diese viminfo-Datei wurde von Vim 9.0 erzeugt.
      # Bearbeitung ist bei Vorsicht erlaubt!

      # Viminfo version
      |1,4

      # Wert von 'encoding', als diese Datei geschrieben wurde
      *encoding=utf-8

      :wq
      |2,0,1700000000,,"wq"

      """
    #expect(try Self.history("viminfo", text).events.map(\.item) == ["vim::wq"])
    let windows = text.replacing("\n", with: "\r\n")
    #expect(try Self.history("_viminfo", windows).events.map(\.item) == ["vim::wq"])
  }

  @Test func `bookmarks of Google have no document type`() throws {
    let text = """
      <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
      <TITLE>Bookmarks</TITLE>
      <H1>Bookmarks</H1>
      <DL><p>
      <DT><H3 ADD_DATE="1523996194943160">Unlabeled</H3>
      <DL><p>
      <DT><A HREF="https://a.example/" ADD_DATE="1515515697780642">A</A>
      </DL><p>
      </DL><p>

      """
    let history = try Self.history("GoogleBookmarks.html", text)
    #expect(history.events.map(\.item) == ["https://a.example/"])
    #expect(history.events.map(\.time?.microseconds) == [1_515_515_697_780_642])
  }
}
