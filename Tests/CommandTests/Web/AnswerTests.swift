import Foundation
import Testing

/// What a crawl makes of answers that are not as they should be.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct AnswerTests {
  private static let page = "<title>Whole"

  @Test(arguments: [
    ("Content-Length: 12, 12\r\n", page), ("Content-Length: 12\r\nContent-Length: 12\r\n", page),
    ("Transfer-Encoding: chunked\r\n", "000000000c\t\r\n\(page)\r\n0000000000\r\n\r\n"),
  ])
  func `an answer whose length is plain is taken`(fields: String, body: String) throws {
    let row = try outcome(fields, body)
    #expect(row["title"] as? String == "Whole", "\(row)")
  }

  @Test(arguments: [
    ("Content-Length: 12\r\nContent-Length: 9\r\n", page), ("Content-Length: x\r\n", page),
    ("Transfer-Encoding: gzip, chunked\r\n", "c\r\n\(page)\r\n0\r\n\r\n"),
    ("Content-Encoding: identity\r\nContent-Encoding: br\r\n", page),
  ])
  func `an answer that may be cut or packed in something is no page`(fields: String, body: String)
    throws
  {
    let row = try outcome(fields, body)
    #expect(row["action"] as? String == "failed", "\(row)")
  }

  @Test func `what a server packs in a form of its own is asked for once`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    _ = try outcome("Content-Encoding: br\r\n", Self.page, "200 OK", of: site)
    #expect(site.requests.count { $0.hasPrefix("/raw/") } == 1)
  }

  @Test func `an answer without a type is told to have none`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let row = try outcome("Content-Length: 0\r\n", "", "200 OK", of: site, type: "")
    #expect(row["reason"] as? String == "no page: no type is named", "\(row)")
  }

  @Test func `nothing has changed of a page that nobody knows`() throws {
    #expect(try outcome("", "", "304 Not Modified")["action"] as? String == "skipped")
  }

  @Test func `of two types the last one holds`() throws {
    let fields = "Content-Type: text/plain\r\nContent-Length: 12\r\n"
    #expect(try outcome(fields, Self.page)["action"] as? String == "skipped")
  }

  @Test func `a redirect whose octets are no UTF-8 leads where its server means`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    _ = try outcome("Location: /caf\u{e9}\r\nContent-Length: 0\r\n", "", "302 Found", of: site)
    #expect(site.requests.contains("/caf%E9"), "\(site.requests)")
  }

  @Test(arguments: [
    ("", 3), ("Retry-After: 0\r\n", 3), ("Retry-After: 600\r\n", 1),
    ("Retry-After: Fri, 31 Dec 2199 23:59:59 GMT\r\n", 1),
  ])
  func `a server that wants to be left alone is not asked again`(field: String, tries: Int) throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    for status in ["503 Busy", "429 Slowly"] {
      let before = site.requests.count { $0.hasPrefix("/raw/") }
      let row = try outcome(field, "", status, of: site)
      #expect(row["action"] as? String == "failed", "\(row)")
      #expect(site.requests.count { $0.hasPrefix("/raw/") } - before == tries, "\(status)")
    }
  }

  private func outcome(_ fields: String, _ body: String, _ status: String = "200 OK") throws
    -> [String: Any]
  {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    return try outcome(fields, body, status, of: site)
  }

  private func outcome(
    _ fields: String, _ body: String, _ status: String, of site: Site,
    type: String = "Content-Type: text/html\r\n"
  ) throws -> [String: Any] {
    let answer = "HTTP/1.1 \(status)\r\n\(type)\(fields)\r\n\(body)"
    // As octets of ISO-8859-1.
    let digits = answer.unicodeScalars.map { String(format: "%02x", $0.value) }.joined()
    let result = try Store().run(
      "import", "web", site.url("/raw/" + digits), "--dry-run", "--allow-private", "--delay", "0",
      "--json")
    return try #require(try result.objects().first, "\(result.errors)")
  }
}
