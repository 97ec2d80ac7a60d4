import Testing

@testable import WebMarkup

/// Pages in saved pages and archives of other programs.
@Suite struct PageContainerTests {
  @Test func `a page with its parts may be a part itself`() throws {
    let mhtml =
      "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=A\r\n\r\n--A\r\nContent-Type: multipart/related; boundary=B\r\n\r\n--B\r\nContent-Type: text/html\r\n\r\n<title>x</title>\r\n--B--\r\n--A--\r\n"
    let saved = PageContainer.mhtml.pages(in: Array(mhtml.utf8), name: "x.mht")
    #expect(saved.damage == nil)
    #expect(saved.pages.map { WebPage($0).title } == ["x"])
  }

  @Test func `a page may be some parts deep, and its URL folded`() throws {
    let mhtml =
      "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=A\r\n\r\n--A\r\nContent-Type: multipart/alternative; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B\r\nContent-Type: multipart/related; boundary=C\r\n\r\n--C\r\nContent-Type: text/html\r\nContent-Location: https://m.example/long/\r\n path\r\n\r\n<title>x</title>\r\n--C--\r\n--B--\r\n--A--\r\n"
    let saved = PageContainer.mhtml.pages(in: Array(mhtml.utf8), name: "x.mht")
    #expect(saved.damage == nil)
    let page = WebPage(try #require(saved.pages.first))
    #expect(page.title == "x" && page.url?.description == "https://m.example/long/path")
    // Where the whole has one, that of the part may be relative to it.
    let relative = mhtml.replacing("https://m.example/long/\r\n path", with: "path")
    let cases: [(String, String?)] = [
      ("", nil), ("Content-Location: https://m.example/\r\n a/\r\n", "a/path"),
    ]
    for (field, url) in cases {
      let saved = PageContainer.mhtml.pages(in: Array((field + relative).utf8), name: "x.mht")
      let page = WebPage(try #require(saved.pages.first))
      #expect(page.url?.description == url.map { "https://m.example/\($0)" })
    }
  }

  @Test func `header fields beyond a mebibyte are none, and the page is read`() throws {
    let fields = String(repeating: "a: b\r\n", count: 200_000)
    let answer = Array(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\(fields)X-Robots-Tag: none\r\n\r\nbody".utf8)
    let message = try #require(HTTPMessage(answer))
    #expect(message["content-type"] == "text/html" && message["x-robots-tag"] == nil)
    #expect(message.headers.count < 180_000 && message.body == Array("body".utf8))
  }

  @Test func `of an archive an entry that is no base64 is refused`() {
    let har =
      #"{"log":{"entries":[{"request":{"url":"https://h.example/"},"response":{"status":200,"content":{"mimeType":"text/html","encoding":"base64","text":"<title>x</title>"}}}]}}"#
    let archive = PageContainer.har.pages(in: Array(har.utf8), name: "x.har")
    #expect(archive.pages.isEmpty && archive.others.isEmpty)
    #expect(archive.refused.map(\.url) == ["https://h.example/"])
  }

  @Test func `of an archive that is cut the entries before the cut are read`() throws {
    func entry(_ url: String, _ content: String) -> String {
      #"{"request":{"url":"\#(url)"},"response":{"status":200,"content":\#(content)}}"#
    }
    let entries = [
      // Shift_JIS, told by the type alone.
      entry(
        "https://h.example/a",
        #"{"mimeType":"text/html; charset=Shift_JIS","encoding":"base64","text":"PHRpdGxlPpP6PC90aXRsZT4="}"#
      ),
      // Exported without what was answered.
      entry("https://h.example/b", #"{"mimeType":"text/html"}"#),
      entry("https://h.example/c", #"{"mimeType":"text/html","text":"<title>é</title>"}"#),
    ]
    let har = #"{"log": {"version":"1.2", "entries" : ["# + entries.joined(separator: ",") + "]}}"
    let whole = PageContainer.har.pages(in: Array(har.utf8), name: "x.har")
    #expect(whole.damage == nil && whole.others == ["https://h.example/b"])
    #expect(whole.pages.map { WebPage($0).title } == ["日", "é"])
    let cut = PageContainer.har.pages(in: Array(har.utf8.dropLast(20)), name: "x.har")
    #expect(cut.damage?.hasPrefix("line 1, column") == true)
    #expect(cut.pages.map { WebPage($0).title } == ["日"] && cut.others.count == 1)
  }
}
