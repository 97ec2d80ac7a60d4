import Testing
import WebMarkup

@testable import Crawling

/// What is never asked, and what is read of an answer.
@Suite struct HTTPClientTests {
  @Test(arguments: [
    "http://127.0.0.1:1/", "http://localhost:1/", "http://10.1.2.3/", "http://192.168.0.1/",
    "http://172.31.255.255/", "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/",
    "http://0.0.0.0/", "http://224.0.0.1/", "http://255.255.255.255/", "http://[::1]/",
    "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/", "http://[fc00::1]/",
    "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://0x7f.1/", "http://2130706433/",
  ])
  func `an address off the public network is refused`(text: String) throws {
    let url = try #require(WebURL(text))
    var client = HTTPClient(userAgent: "test", allowsPrivate: false, timeout: .seconds(5))
    do throws(FetchFault) {
      _ = try client.get(url, limit: 1)
      Issue.record("\(text) was asked")
    } catch { #expect(error.kind == .privateAddress, "\(text): \(error.message)") }
  }

  @Test func `other schemes are refused`() throws {
    var client = HTTPClient(userAgent: "test", allowsPrivate: true, timeout: .seconds(5))
    let url = try #require(WebURL("ftp://example.org/"))
    do throws(FetchFault) {
      _ = try client.get(url, limit: 1)
      Issue.record("it was asked")
    } catch { #expect(error.kind == .unfit) }
  }

  @Test(arguments: [
    ("Content-Length: 20", "0123456789abcdefghij"),
    ("Content-Length: 99999999999999999999", "0123456789"),
    ("X: y", "0123456789abc"),
    ("Transfer-Encoding: chunked", "8\r\n01234567\r\n8\r\n89abcdef\r\n0\r\n\r\n"),
  ])
  func `of a body that may be cut the beginning is read`(field: String, body: String) throws {
    for isCut in [true, false] {
      var pieces = ["HTTP/1.1 200 OK\r\n\(field)\r\n\r\n" + body]
      var reader = AnswerReader(limit: 10, isCut: isCut) { () throws(FetchFault) in
        Array((pieces.popLast() ?? "").utf8)
      }
      do throws(FetchFault) {
        let answer = try reader.answer()
        #expect(isCut && answer.body == Array("0123456789".utf8) && !reader.isReusable)
      } catch { #expect(!isCut && error.kind == .tooLarge, "\(error.message)") }
    }
  }
}
