import ActivityWatch
import Cairn
import Crypto

/// Which item of the history a watcher's event is about, by the type of its bucket.
struct WatchedItem: Sendable, Equatable {
  var item: String
  var title: String?
  var domain: String
  var project: String?

  private static let itemByteCountMax = 4_096

  init(_ data: JSONObject, bucket: Bucket) {
    let text = { (key: String) -> String? in
      guard case .string(let text)? = data[key], !text.isEmpty else { return nil }
      return text
    }
    switch bucket.type {
    case "web.tab.current":
      if let url = text("url") {
        self.init(url, text("title"), Self.site(of: url))
        return
      }
    case "currentwindow":
      if let app = text("app") {
        let place = "apps.\(Self.part(bucket.hostname)).\(Self.part(app))"
        self.init("window:\(app)/\(text("title") ?? "")", text("title") ?? app, place)
        return
      }
    case "app.editor.activity":
      if let file = text("file") {
        let folders = file.split(separator: "/").dropLast().map { Self.part(String($0)) }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        self.init("file://\(file)", name, (["files"] + folders).joined(separator: "."))
        project = text("project")
        return
      }
    default: break
    }
    let domain = "activitywatch.\(Self.part(bucket.id))"
    let title = text("title") ?? text("name") ?? text("app")
    guard bucket.type != "afkstatus", let title else {
      self.init("activitywatch:\(bucket.id)", nil, domain)
      return
    }
    self.init("activitywatch:\(bucket.id):\(Self.hash(of: data))", title, domain)
  }

  private init(_ item: String, _ title: String?, _ domain: String) {
    self.item = Self.bounded(item)
    self.title = title
    self.domain = domain
  }

  /// A part of a domain: no dot in it.
  private static func part(_ text: String) -> String {
    text.isEmpty ? "unknown" : text.replacing("%", with: "%25").replacing(".", with: "%2E")
  }

  /// `web.` and the parts of the host, the last one first.
  private static func site(of url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return "web" }
    let authority = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let host = authority.split(separator: "@").last ?? ""
    if host.hasPrefix("[") { return "web.\(part(String(host.prefix { $0 != "]" }.dropFirst())))" }
    let name = host.prefix { $0 != ":" }.lowercased()
    let parts = name.split(separator: ".").map(String.init)
    guard !parts.isEmpty else { return "web" }
    if parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) { return "web.\(part(name))" }
    return "web." + parts.reversed().map { part($0) }.joined(separator: ".")
  }

  /// Ids that are too long end in a hash of themselves.
  private static func bounded(_ item: String) -> String {
    guard item.utf8.count > itemByteCountMax else { return item }
    let digest = SHA256.hash(data: Array(item.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let room = itemByteCountMax - digest.utf8.count - 1
    var end = item.utf8.index(item.startIndex, offsetBy: room)
    while String.Index(end, within: item) == nil { end = item.utf8.index(before: end) }
    return item[..<end] + "#" + digest
  }

  private static func hash(of data: JSONObject) -> String {
    var bytes: [UInt8] = []
    JSONValue.object(data).append(to: &bytes)
    return SHA256.hash(data: bytes).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

/// What a bucket is, as its watcher said.
package struct Bucket: Sendable, Hashable {
  var id: String
  var type: String
  var client: String
  var hostname: String
  /// RFC 3339.
  var created: String
  var data = JSONObject()

  /// The `source` of its events.
  var source: String { Self.sourcePrefix + id }

  static let sourcePrefix = "activitywatch/"
}
