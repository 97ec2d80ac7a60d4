import Testing

@testable import WebMarkup

/// Answers whose fields name a coding that their content is not in.
@Suite struct ContentCodingTests {
  @Test(arguments: ["gzip", "deflate", "br", "gzip, gzip"])
  func `no content is packed in nothing`(field: String) throws {
    #expect(try ContentCoding.decode([], field, limit: 10) == [])
  }

  @Test(arguments: ["none", "UTF-8", "identity", "none, identity"])
  func `what names no coding changes nothing`(field: String) throws {
    #expect(try ContentCoding.decode([0x78], field, limit: 10) == [0x78])
  }

  @Test(arguments: ["br", "ZSTD", "gzip, br"])
  func `a coding that is not read is refused`(field: String) {
    #expect(throws: ContentCoding.Fault.unknown) {
      try ContentCoding.decode([0x78], field, limit: 10)
    }
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

  @Test(arguments: [("text/plain", "text/html; charset=koi8-r", true), ("text/html", "a/b", false)])
  func `of two types the last one holds`(first: String, last: String, isPage: Bool) {
    let found = captures("200 OK", "", "\u{c1}", [first, last])
    guard case .page(let source)? = found.first else {
      #expect(!isPage)
      return
    }
    #expect(isPage && WebPage(source).encoding == "KOI8-R")
  }

  private func captures(
    _ status: String, _ coding: String, _ content: String, _ types: [String] = ["text/html"]
  ) -> [WARCReader.Capture] {
    captures(in: [record(status, coding, content, types)])
  }

  private func record(
    _ status: String, _ coding: String, _ content: String, _ types: [String] = ["text/html"]
  ) -> [UInt8] {
    let fields = types.map { "Content-Type: \($0)\r\n" }.joined()
    let answer =
      "HTTP/1.1 \(status)\r\n\(fields)Content-Encoding: \(coding)\r\n\r\n" + content
    let head =
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://h.example/\r\n"
      + "Content-Type: application/http\r\nContent-Length: \(answer.utf8.count)\r\n\r\n"
    return Array((head + answer + "\r\n\r\n").utf8)
  }

  private func captures(in pieces: [[UInt8]]) -> [WARCReader.Capture] {
    var reader = WARCReader(name: "x", limit: 100)
    var found: [WARCReader.Capture] = []
    for piece in pieces {
      reader.feed(piece)
      while let capture = reader.next() { found.append(capture) }
    }
    if let last = reader.finish() { found.append(last) }
    return found
  }

  @Test func `a record whose own type is not named is known by its content`() {
    let record = String(decoding: record("200 OK", "", "a"), as: UTF8.self)
    let bare = record.replacing("Content-Type: application/http\r\n", with: "")
    guard case .page? = captures(in: [Array(bare.utf8)]).first else {
      Issue.record("no page")
      return
    }
    let other = bare.replacing("HTTP/1.1 200", with: "GOPHER/1 200")
    guard case .other? = captures(in: [Array(other.utf8)]).first else {
      Issue.record("no answer of the web")
      return
    }
  }

  @Test func `records come one by one, whatever pieces the archive is read in`() {
    let archive = record("200 OK", "", "a") + record("404 Gone", "", "") + record("200 OK", "", "b")
    var reader = WARCReader(name: "x", limit: 100)
    reader.feed(archive)
    var count = 0
    while reader.next() != nil { count += 1 }
    let isWhole = reader.finish() == nil && reader.damage == nil
    #expect(count == 3 && isWhole)
    for size in 1...40 {
      let pieces = stride(from: 0, to: archive.count, by: size).map {
        Array(archive[$0..<min($0 + size, archive.count)])
      }
      #expect(captures(in: pieces).count == 3, "pieces of \(size)")
    }
    var cut = WARCReader(name: "x", limit: 100)
    cut.feed(Array(archive.dropLast(8)))
    while cut.next() != nil {}
    let isCut = cut.finish() == nil && cut.damage != nil
    #expect(isCut)
  }
}
