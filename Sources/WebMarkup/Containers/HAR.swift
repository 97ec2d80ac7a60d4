/// What browsers export of their network panel (HAR 1.2).
enum HAR {
  static func contents(of bytes: [UInt8], name: String) -> PageContainer.Contents {
    var contents = PageContainer.Contents()
    var entries: [JSON] = []
    do throws(JSONFault) {
      let root = try JSONReader.strict(bytes)
      guard let all = root["log"]?["entries"]?.array else {
        contents.damage = "the archive has no log.entries"
        return contents
      }
      entries = all
    } catch {
      contents.damage = error.described(in: bytes)
      if let start = entriesStart(bytes) {
        entries = JSONReader.readableElements(of: bytes, from: start)
      }
    }
    for entry in entries {
      let url = entry["request"]?["url"]?.string ?? ""
      guard let page = page(of: entry, name) else {
        contents.others.append(url)
        continue
      }
      if isDamaged(entry) {
        contents.refused.append((url, "its content is no base64"))
      } else {
        contents.pages.append(page)
      }
    }
    return contents
  }

  /// The place behind the bracket that opens the entries, found without reading what is around.
  private static func entriesStart(_ bytes: [UInt8]) -> Int? {
    let name = Array("\"entries\"".utf8)
    guard bytes.count > name.count else { return nil }
    for start in 0..<bytes.count - name.count
    where bytes[start] == name[0] && bytes[start..<start + name.count].elementsEqual(name) {
      var place = start + name.count
      for mark in [UInt8(ascii: ":"), UInt8(ascii: "[")] {
        while place < bytes.count, bytes[place].isSpace { place += 1 }
        guard place < bytes.count, bytes[place] == mark else { break }
        place += 1
        if mark == UInt8(ascii: "[") { return place }
      }
    }
    return nil
  }

  /// Whether what an entry says to be base64 is not.
  private static func isDamaged(_ entry: JSON) -> Bool {
    let content = entry["response"]?["content"]
    guard content?["encoding"]?.string?.loweredASCII == "base64",
      let text = content?["text"]?.string
    else { return false }
    return !Base64Text.isValid(text.utf8)
  }

  private static func page(of entry: JSON, _ name: String) -> PageSource? {
    guard let response = entry["response"], let content = response["content"],
      PageContainer.isPage(type: content["mimeType"]?.string),
      case .number(let status) = response["status"],
      let code = Int(status), [200, 404, 410].contains(code)
    else { return nil }
    // What is answered to a form that was sent is not the page at its URL.
    let method = entry["request"]?["method"]?.string ?? "GET"
    guard method.loweredASCII == "get" else { return nil }
    // Frames of scripts and of browsers' extensions are in the list, too.
    let url = entry["request"]?["url"]?.string
    if let place = url.flatMap({ WebURL($0) }), !place.isHTTP { return nil }
    // Browsers export also without what was answered.
    guard let text = content["text"]?.string ?? (code == 200 ? nil : "") else { return nil }
    let isBase64 = content["encoding"]?.string?.loweredASCII == "base64"
    var page = PageSource(
      name: name, bytes: isBase64 ? Base64Text.decode(text.utf8) : Array(text.utf8))
    page.status = code
    if let url { page.urls.append(("request", url)) }
    for header in response["headers"]?.array ?? [] {
      if let name = header["name"]?.string, let value = header["value"]?.string {
        page.headers.append((name, value))
      }
    }
    if isBase64, let type = content["mimeType"]?.string,
      !page.headers.contains(where: { $0.name.loweredASCII == "content-type" })
    {
      page.headers.append(("content-type", type))
    }
    // The text is text already: what it was encoded in on the wire no longer counts.
    if !isBase64 {
      page.headers.removeAll { $0.name.loweredASCII == "content-type" }
      let type = content["mimeType"]?.string?.essence ?? "text/html"
      page.headers.append(("content-type", type + "; charset=utf-8"))
    }
    page.time = entry["startedDateTime"]?.string.flatMap {
      WrittenTime(iso: $0.strippedSpace)?.rfc3339
    }
    return page
  }
}
