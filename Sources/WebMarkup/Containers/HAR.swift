/// What browsers export of their network panel (HAR 1.2).
enum HAR {
  static func pages(in bytes: [UInt8], name: String) -> (pages: [PageSource], damage: String?) {
    let skip = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let root: JSON
    do { root = try JSONReader.strict(Array(bytes[skip...])) } catch {
      var places = TextPlaces(bytes)
      let (line, column) = places.lineAndColumn(of: error.place + skip)
      return ([], "line \(line), column \(column): \(error.message)")
    }
    guard let entries = root["log"]?["entries"]?.array else {
      return ([], "the archive has no log.entries")
    }
    return (entries.compactMap { page(of: $0, name) }, nil)
  }

  private static func page(of entry: JSON, _ name: String) -> PageSource? {
    guard let response = entry["response"], let content = response["content"],
      PageContainer.isPage(type: content["mimeType"]?.string),
      case .number(let status) = response["status"],
      let code = Int(status), [200, 404, 410].contains(code)
    else { return nil }
    let text = content["text"]?.string ?? ""
    let isBase64 = content["encoding"]?.string?.loweredASCII == "base64"
    var page = PageSource(
      name: name, bytes: isBase64 ? Base64Text.decode(text.utf8) : Array(text.utf8))
    page.status = code
    if let url = entry["request"]?["url"]?.string { page.urls.append(("request", url)) }
    for header in response["headers"]?.array ?? [] {
      if let name = header["name"]?.string, let value = header["value"]?.string {
        page.headers.append((name, value))
      }
    }
    // The text is text already: what it was encoded in on the wire no longer counts.
    if !isBase64 {
      page.headers.removeAll { $0.name.loweredASCII == "content-type" }
      page.headers.append(("content-type", "text/html; charset=utf-8"))
    }
    page.time = entry["startedDateTime"]?.string.flatMap { MarkupDate($0)?.rfc3339 }
    return page
  }
}
