import Testing

@testable import WebMarkup

/// Answers whose fields name a coding that their content is not in.
@Suite struct ContentCodingTests {
  @Test(arguments: ["gzip", "deflate", "br", "gzip, gzip"])
  func `no content is packed in nothing`(field: String) throws {
    #expect(try ContentCoding.decode([], field, limit: 10) == [])
  }

  @Test(arguments: [("gzip", ""), ("gzip", "no"), ("br", "x")])
  func `of an archive a page is gone whatever says so is packed in`(
    _ coding: String, _ content: String
  ) {
    let found = captures("404 Not Found", coding, content)
    guard case .page(let source)? = found.first else {
      Issue.record("\(found)")
      return
    }
    #expect(found.count == 1 && source.status == 404 && source.bytes.isEmpty)
  }

  @Test func `of an archive a page that cannot be unpacked is refused`() {
    let found = captures("200 OK", "br", "x")
    guard case .refused(let url, let reason)? = found.first else {
      Issue.record("\(found)")
      return
    }
    #expect(url == "https://h.example/" && reason == "its content coding br is not read")
  }

  private func captures(
    _ status: String, _ coding: String, _ content: String
  ) -> [WARCReader.Capture] {
    let answer =
      "HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Encoding: \(coding)\r\n\r\n"
      + content
    let head =
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://h.example/\r\n"
      + "Content-Type: application/http\r\nContent-Length: \(answer.utf8.count)\r\n\r\n"
    var reader = WARCReader(name: "x", limit: 100)
    return reader.read(Array((head + answer + "\r\n\r\n").utf8)) + reader.finish()
  }
}
