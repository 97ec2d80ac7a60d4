/// Reads the records of a web archive, a piece of the file at a time (WARC 1.1).
///
/// Memory is that of one record: what is larger than a page may be is passed over.
package struct WARCReader {
  package enum Capture: Sendable {
    /// A page, or the answer that there is none any more (404, 410).
    case page(PageSource)
    /// A page that was the same as at an earlier capture.
    case revisit(url: String?)
    /// A page that is larger than wanted, or packed in a way that cannot be undone.
    case refused(url: String?, reason: String)
    /// Another record, or an answer that is no page.
    case other(url: String?)
  }

  /// Why the archive cannot be read on; what was given before stands.
  package private(set) var damage: String?

  private let name: String
  private let limit: Int
  private var pending: [UInt8] = []
  /// How many of these are read.
  private var at = 0
  /// Bytes of the archive before `pending`.
  private var offset = 0
  private var record: MIMEMessage?
  /// Bytes of the record's content that are still to come.
  private var left = 0
  private var content: [UInt8] = []
  private var isKept = false

  private static let headByteCountMax = 1 << 16

  /// Reads an archive that is called `name`; pages of more than `limit` bytes are refused.
  package init(name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  /// Whether bytes begin as an archive does.
  package static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "WARC/1.".utf8) }

  /// Takes the next bytes; what they complete comes one after the other.
  package mutating func feed(_ bytes: [UInt8]) {
    pending.removeSubrange(..<at)
    offset += at
    at = 0
    pending += bytes
  }

  /// The next capture that is whole; nil where more bytes are needed, or there is damage.
  ///
  /// What is unpacked of one is free before the next: a few bytes may hold many large pages.
  package mutating func next() -> Capture? {
    while at < pending.count, damage == nil {
      guard let record else {
        guard readHead() else { return nil }
        continue
      }
      let count = min(left, pending.count - at)
      if isKept { content += pending[at..<at + count] }
      at += count
      left -= count
      guard left == 0 else { return nil }
      self.record = nil
      return capture(record)
    }
    return nil
  }

  /// Says that no more bytes come; gives the capture that ends with them.
  package mutating func finish() -> Capture? {
    guard damage == nil else { return nil }
    guard at == pending.count, left == 0 || record == nil else {
      damage = "the archive ends in the middle of a record"
      return nil
    }
    guard let record else { return nil }
    self.record = nil
    return capture(record)
  }

  private mutating func readHead() -> Bool {
    // Two line ends stand between records; writers leave out some, or add some.
    while at < pending.count, pending[at] == 0x0d || pending[at] == 0x0a { at += 1 }
    guard at < pending.count else { return false }
    let start = at
    let place = offset + start
    guard let end = Self.endOfHead(pending, from: start) else {
      if pending.count - start > Self.headByteCountMax || !Self.mayBegin(pending[start...]) {
        damage = "byte \(place): no record of a web archive begins here"
      }
      return false
    }
    let head = MIMEMessage(pending[start..<end])
    guard Self.recognises(Array(pending[start..<min(start + 8, end)])),
      let length = head["content-length"].flatMap({ Int($0) }), length >= 0, length < 1 << 48
    else {
      damage = "byte \(place): no record of a web archive begins here"
      return false
    }
    at = end
    record = head
    left = length
    content = []
    isKept = Self.isWanted(head) && length <= limit + (1 << 20)
    if isKept { content.reserveCapacity(length) }
    return true
  }

  private static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
    let mark = Array("WARC/1.".utf8)
    return bytes.prefix(mark.count).elementsEqual(mark.prefix(bytes.count))
  }

  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while let end = bytes[index...].firstIndex(of: 0x0a) {
      let next = end + 1
      if next < bytes.count, bytes[next] == 0x0a { return next + 1 }
      if next + 1 < bytes.count, bytes[next] == 0x0d, bytes[next + 1] == 0x0a { return next + 2 }
      index = next
      guard index < bytes.count, index - start <= headByteCountMax else { return nil }
    }
    return nil
  }

  private static func isWanted(_ head: MIMEMessage) -> Bool {
    switch head["warc-type"]?.loweredASCII {
    // Of a type that is not named, what begins as an answer is one (WARC 1.1, section 5.6).
    case "response": head["content-type"]?.loweredASCII.hasPrefix("application/http") ?? true
    case "resource": PageContainer.isPage(type: head["content-type"])
    default: false
    }
  }

  private mutating func capture(_ record: MIMEMessage) -> Capture {
    defer { content = [] }
    let url = record["warc-target-uri"].map { String($0.filter { $0 != "<" && $0 != ">" }) }
    if record["warc-type"]?.loweredASCII == "revisit" { return .revisit(url: url) }
    guard Self.isWanted(record) else {
      let isAnswer = ["response", "resource"].contains(record["warc-type"]?.loweredASCII)
      return .other(url: isAnswer ? url : nil)
    }
    guard isKept else { return .refused(url: url, reason: "is larger than \(limit) bytes") }
    return record["warc-type"]?.loweredASCII == "resource"
      ? .page(page(content, url, record)) : answer(url, record)
  }

  private func page(_ bytes: [UInt8], _ url: String?, _ record: MIMEMessage) -> PageSource {
    var page = PageSource(name: name, bytes: bytes)
    if let url { page.urls.append(("record", url)) }
    page.headers = record.headers.filter { $0.name == "content-type" }
    page.time = record["warc-date"].flatMap { WrittenTime(iso: $0.strippedSpace)?.rfc3339 }
    return page
  }

  private func answer(_ url: String?, _ record: MIMEMessage) -> Capture {
    guard let message = HTTPMessage(content), [200, 404, 410].contains(message.status) else {
      return .other(url: url)
    }
    guard message.status != 200 || PageContainer.isPage(type: message["content-type"]) else {
      return .other(url: url)
    }
    let codings = message.headers.filter { $0.name == "content-encoding" }.map { $0.value }
    let coding = codings.joined(separator: ",")
    var body: [UInt8] = []
    do throws(ContentCoding.Fault) {
      body = try ContentCoding.decode(message.body, coding, limit: limit)
    } catch {
      if error == .damaged, Self.isMarkup(message.body), message.body.count <= limit {
        // Some writers unpack what they keep, and leave the field as it was.
        body = message.body
      } else if message.status == 200 {
        // A page is gone whatever the answer that says so is packed in.
        return .refused(url: url, reason: reason(error, coding))
      }
    }
    var page = page(body, url, record)
    page.status = message.status
    page.headers = message.headers
    return .page(page)
  }

  private static func isMarkup(_ bytes: [UInt8]) -> Bool {
    bytes.first { !$0.isSpace } == UInt8(ascii: "<")
  }

  private func reason(_ fault: ContentCoding.Fault, _ coding: String) -> String {
    switch fault {
    case .tooLarge: "is larger than \(limit) bytes"
    case .damaged: "its content coding is damaged"
    case .unknown: "its content coding \(coding) is not read"
    }
  }
}
