package import Events

/// What a watcher of ActivityWatch saw, as an item: the same from an export, from its database and
/// from a watcher that is running.
package struct ActivityItem: Sendable {
  package var item: String
  package var domain: String
  package var title: String
  package var attributes: Attributes = [:]

  /// What an event is about.
  /// - Returns: nil for what is no page, window or file.
  package static func seen(type: String, data: JSONObject, hostname: String) -> ActivityItem? {
    func text(_ key: String) -> String? {
      guard let text = data[key]?.string else { return nil }
      return CommandText.nonBlank(text)
    }
    switch type {
    case "currentwindow":
      return ActivityItem(app: text("app"), title: text("title"), hostname: hostname)
    case "web.tab.current":
      guard let url = text("url") else { return nil }
      // What was seen is refused to no watcher: whoever makes an item of it cuts the address.
      switch WebAddress(url, upTo: .max) {
      case .page(let domain, let host, let path):
        let isLong = url.utf8.count > WebAddress.byteCountMax
        let title = text("title") ?? (isLong ? host : PercentEncoding.decode(url))
        var page = ActivityItem(item: url, domain: domain, title: title)
        if !isLong { page.attributes["alternateNames"] = .array([.string(host + path)]) }
        return page
      case .file(let file):
        return ActivityItem(item: file.item, domain: file.domain, title: text("title") ?? file.name)
      default: return nil
      }
    case "app.editor.activity":
      guard let path = text("file"), let file = FileItem(path: path, home: "") else { return nil }
      var seen = ActivityItem(item: file.item, domain: file.domain, title: file.name)
      for key in ["project", "language"] {
        if let word = text(key) { seen.attributes[key] = .string(word) }
      }
      return seen
    default: return nil
    }
  }

  private init(item: String, domain: String, title: String) {
    self.item = item
    self.domain = domain
    self.title = title
    if !title.isEmpty { attributes["title"] = .string(title) }
  }

  /// A window of a program.
  init(app: String?, title: String?, hostname: String) {
    let app = app ?? ""
    self.init(
      item: OtherItems.item("window", app, title ?? ""),
      domain: OtherItems.domain("apps", hostname, app),
      title: title.flatMap(CommandText.nonBlank) ?? app)
    if !app.isEmpty { attributes["application"] = .string(app) }
  }

  /// The domain of what has no better one.
  package static func domain(ofBucket id: String) -> String {
    OtherItems.domain("activitywatch", id)
  }
}
