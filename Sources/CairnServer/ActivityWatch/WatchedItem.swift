import Cairn
import Cryptography
import Importers

/// Which item of the history a watcher's event is about, by the type of its bucket: the same one
/// that importers make of it.
struct WatchedItem: Sendable, Equatable {
  var item: String
  var domain: String
  var attributes: Attributes = [:]

  private static let itemByteCountMax = 4_096

  init(_ data: JSONObject, bucket: Bucket) {
    if let seen = ActivityItem.seen(type: bucket.type, data: data, hostname: bucket.hostname) {
      self.init(seen.item, seen.domain)
      attributes = seen.attributes
      return
    }
    let text = { (key: String) -> String? in
      guard let text = data[key]?.string, !text.isEmpty else { return nil }
      return text
    }
    let domain = ActivityItem.domain(ofBucket: bucket.id)
    let title = text("title") ?? text("name") ?? text("app")
    // Whether somebody is there is nothing to be found.
    guard bucket.type != "afkstatus", let title else {
      self.init("activitywatch:\(bucket.id)", domain)
      return
    }
    self.init("activitywatch:\(bucket.id):\(Self.hash(of: data))", domain)
    attributes["title"] = .string(title)
  }

  private init(_ item: String, _ domain: String) {
    self.item = Self.bounded(item)
    self.domain = Self.fitting(domain)
  }

  /// Domains that are too long end with the last part that fits.
  private static func fitting(_ domain: String) -> String {
    let first = domain.utf8.prefix(EventLimits.domainByteCount + 1)
    guard first.count > EventLimits.domainByteCount,
      let dot = first.lastIndex(of: UInt8(ascii: "."))
    else { return domain }
    return String(domain[..<dot])
  }

  /// Ids that are too long end in a hash of themselves.
  private static func bounded(_ item: String) -> String {
    guard item.utf8.count > itemByteCountMax else { return item }
    let digest = Hexadecimal.text(SHA256.hash(Array(item.utf8)).bytes)
    let room = itemByteCountMax - digest.utf8.count - 1
    var end = item.utf8.index(item.startIndex, offsetBy: room)
    while String.Index(end, within: item) == nil { end = item.utf8.index(before: end) }
    return item[..<end] + "#" + digest
  }

  private static func hash(of data: JSONObject) -> String {
    Hexadecimal.text(SHA256.hash(JSONValue.object(data).text).bytes.prefix(16))
  }
}

package struct Bucket: Sendable, Hashable {
  var id: String
  var type: String
  var client: String
  var hostname: String
  /// RFC 3339.
  var created: String
  var data = JSONObject()
  /// Greater than that of each bucket made before, as the order of lines in their file tells.
  var number = 0

  var source: String { WatchedView.sourcePrefix + id }
}
