import Cairn
import Foundation
import Testing

/// Events made of what a program has at hand: variables, dates, URLs.
@Suite struct SwiftValueTests {
  @Test func `short events take values of Swift, as long ones do`() throws {
    let title = "Harbour"
    let pages = 3
    let none: Int? = nil
    let url = try #require(URL(string: "https://example.org/"))
    let due = Date(timeIntervalSince1970: 1_800_000_000)
    let index = Event.index(
      "a", title: title, attributes: ["pages": pages, "url": url, "due": due], domain: "work",
      expires: due)
    #expect(index.attributes["title"]?.string == title)
    #expect(index.attributes["pages"]?.integer == pages)
    #expect(index.attributes["url"]?.string == url.absoluteString)
    #expect(index.attributes["due"]?.date == due)
    #expect(index.expires == .value(Timestamp(due)))
    let update = Event.update("a", title: title, attributes: ["pages": none, "due": due])
    #expect(update.attributes["title"]?.string == title)
    #expect(update.attributes["pages"] == .null)
    #expect(update.attributes["due"]?.date == due)
    let view = Event.view("a", time: due, actor: "ann")
    #expect(view.time == Timestamp(due) && view.actor == "ann")
    #expect(Event.view("a", time: .now).actor == nil)
  }
}
