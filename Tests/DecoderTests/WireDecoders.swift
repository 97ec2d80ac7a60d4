import Cairn
import Compression
import Importers
import Rows
import Values

@testable import Crawling

/// What comes over a wire or in a file as others wrote it: answers, what is packed, tables.
enum WireDecoders {
  static let answers: [[UInt8]] = [
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>a",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 301 Moved\nLocation: /é b\n folded\n\n",
    "HTTP/1.1 200\r\nTransfer-Encoding: identity, chunked\r\n\r\n003;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nConnection: close, TE\r\n\r\n",
  ].map { Array($0.utf8) }

  /// The same however it is cut into pieces.
  static func answer(_ bytes: [UInt8]) throws {
    let whole = read(bytes, pieces: bytes.count)
    for count in [1, 7] {
      try DecoderFault.require(
        read(bytes, pieces: count) == whole, "an answer is another one in pieces of \(count)")
    }
    if let body = whole?.body {
      try DecoderFault.require(body.count <= min(1_000, bytes.count), "a body is too large")
    }
  }

  private struct Read: Equatable {
    var status: Int
    var fields: [String]
    var body: [UInt8]
  }

  private static func read(_ bytes: [UInt8], pieces count: Int) -> Read? {
    var at = 0
    var reader = AnswerReader(limit: 1_000) { () throws(FetchFault) in
      defer { at = min(bytes.count, at + count) }
      return Array(bytes[at..<min(bytes.count, at + count)])
    }
    guard let answer = try? reader.answer() else { return nil }
    return Read(
      status: answer.status, fields: answer.headers.map { "\($0.name): \($0.value)" },
      body: answer.body)
  }

  private static let forms: [Unpacker.Form] = [.gzip, .deflate, .xz]

  /// The form, then what is packed.
  static let packed: [[UInt8]] = [
    (0, "H4sIAAAAAAACAwvJSFUoLM1MzlZIKsovz1NIy6/QUwghWhAAkCB5lD8AAAA="),
    (0, "eJwLyUhVKCzNTM5WSCrKL89TSMuv0FMIIVoQAMxzFiQ="),
    (1, "C8lIVSgszUzOVkgqyi/PU0jLr9BTCCFaEAA="),
    (
      2,
      "/Td6WFoAAAFpIt42AgAhAQwAAACPmEGc4AA+AB1dACoaCKIDJWbxS3jFogX/LubZ0iAarwLt3+UtYAAA"
        + "AAAAAJAgeZQAATU/oFrRNJBCmQ0BAAAAAAFZWg=="
    ),
  ].map { [$0] + (Base64.decode(Array($1.utf8)) ?? []) }

  /// The same however it is cut into pieces.
  static func unpack(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let form = forms[Int(first) % forms.count]
    let content = Array(bytes.dropFirst())
    let whole = try unpack(content, form, pieces: max(1, content.count))
    for count in [1, 11] {
      let inPieces = try unpack(content, form, pieces: count)
      try DecoderFault.require(inPieces == whole, "other bytes come out in pieces of \(count)")
    }
  }

  /// What came out, and whether it was whole; nil for what is damaged.
  private static func unpack(_ bytes: [UInt8], _ form: Unpacker.Form, pieces count: Int) throws
    -> [UInt8]?
  {
    let unpacker = try Unpacker(form)
    var found: [UInt8] = []
    var piece: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: count) {
      unpacker.feed(Array(bytes[start..<min(bytes.count, start + count)]))
      do {
        while try unpacker.next(into: &piece) {
          found += piece
          // A bomb: enough is seen.
          if found.count > 1 << 20 { return [] }
        }
      } catch { return nil }
    }
    return found + [unpacker.isComplete ? 1 : 0, unpacker.hasRest ? 1 : 0]
  }

  static let tables: [[UInt8]] = [
    "kind,item,time,title,more\r\nview,a,2026-01-02 03:04,\"x \"\"y\"\"\",\"{\"\"dwell\"\":1}\"\r\n",
    "Kind;Item;timestamp;ex_n\nindex;b;1700000000.5;7\n", "kind\titem\tvisits\nview\tc\t-1",
    "\u{feff}KIND,more,attributes\nview,\"{\"\"item\"\":\"\"d\"\"}\",\"{\"\"e\"\":[1]}\"\n",
    #"{"specversion":"1.0","id":"1","source":"/s","type":"cairn.view","subject":"a","data":{}}"#,
    #"{"specversion":"1.0","type":"cairn.delete","time":"x","data":{"domain":"d"}}"#,
  ].map { Array($0.utf8) }

  /// A table of events, and a line that may be a CloudEvent: what comes of them is JSON.
  static func table(_ bytes: [UInt8]) throws {
    if let event = try? CloudEvent.event(in: bytes[...]) {
      let again = try CloudEvent.event(in: event)
      try DecoderFault.require(again == nil, "the event of an envelope is one")
      try DecoderFault.require(JSONObject(json: event) != nil, "an event is no JSON")
    }
    try ImporterDecoders.withFile(bytes) { _, path in
      guard let rows = try? CSVRows(try ByteStream(path: path)),
        var table = try? CSVEvents(rows, zone: .utc)
      else { return }
      while let row = try? table.next() {
        try DecoderFault.require(row.line <= bytes.count + 1, "more rows than bytes")
        guard let line = try? table.event(of: row) else { continue }
        try DecoderFault.require(JSONObject(json: line) != nil, "a row's event is no JSON")
      }
    }
  }
}
