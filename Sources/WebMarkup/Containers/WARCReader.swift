/// Reads the records of a web archive, a piece of the file at a time (WARC 1.1).
///
/// Memory is that of one record: what is larger than a page may be is passed over.
public struct WARCReader {
  /// What a record is.
  public enum Capture: Sendable {
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
  public private(set) var damage: String?

  private let name: String
  private let limit: Int
  private var pending: [UInt8] = []
  /// Bytes of the archive before `pending`.
  private var offset = 0
  private var record: MIMEMessage?
  /// Bytes of the record's content that are still to come.
  private var left = 0
  private var content: [UInt8] = []
  private var isKept = false

  private static let headByteCountMax = 1 << 16

  /// Reads an archive that is called `name`; pages of more than `limit` bytes are refused.
  public init(name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  /// Whether bytes begin as an archive does.
  public static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "WARC/1.".utf8) }

  /// Takes the next bytes and gives what they complete.
  public mutating func read(_ bytes: [UInt8]) -> [Capture] {
    pending += bytes
    var captures: [Capture] = []
    var start = 0
    while start < pending.count, damage == nil {
      if let record {
        let count = min(left, pending.count - start)
        if isKept { content += pending[start..<start + count] }
        start += count
        left -= count
        guard left == 0 else { break }
        self.record = nil
        captures.append(capture(record))
      } else {
        guard readHead(&start) else { break }
      }
    }
    offset += start
    pending.removeSubrange(..<start)
    return captures
  }

  /// Says that no more bytes come.
  public mutating func finish() -> [Capture] {
    guard damage == nil else { return [] }
    guard pending.isEmpty, left == 0 || record == nil else {
      damage = "the archive ends in the middle of a record"
      return []
    }
    guard let record else { return [] }
    self.record = nil
    return [capture(record)]
  }

  private mutating func readHead(_ start: inout Int) -> Bool {
    // Two line ends stand between records; writers leave out some, or add some.
    while start < pending.count, pending[start] == 0x0d || pending[start] == 0x0a { start += 1 }
    guard start < pending.count else { return false }
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
    start = end
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
    case "response": head["content-type"]?.loweredASCII.hasPrefix("application/http") ?? false
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
    page.time = record["warc-date"].flatMap { MarkupDate($0)?.rfc3339 }
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
