/// Pages that browsers save with their parts as one message (RFC 2557).
enum MHTML {
  static func contents(of bytes: [UInt8], name: String) -> PageContainer.Contents {
    let message = MIMEMessage(bytes[...])
    let (parts, isWhole) = message.isMultipart ? message.parts() : ([message], true)
    guard let root = root(message, parts) ?? inner(parts) else {
      return PageContainer.Contents(damage: "no part of the message is HTML")
    }
    var page = PageSource(name: name, bytes: root.content)
    // A part's may be relative to that of the whole (RFC 2557, section 5).
    let base = message.place("content-location").flatMap { WebURL($0) }
    for place in [message.place("snapshot-content-location"), root.place("content-location")] {
      guard let place else { continue }
      page.urls.append(("record", base.flatMap { WebURL(place, base: $0)?.description } ?? place))
    }
    page.headers = root.headers
    page.time = message["date"].flatMap { WrittenTime(mail: $0)?.rfc3339 }
    return PageContainer.Contents(
      pages: [page], damage: isWhole ? nil : "the message ends before its last part does")
  }

  /// The page of the first part that holds a page with its parts, as mail with attachments has it.
  ///
  /// Each level is read again by the next one, so that there are not many.
  private static func inner(_ parts: [MIMEMessage], level: Int = 1) -> MIMEMessage? {
    guard level < 8 else { return nil }
    for part in parts where part.isMultipart {
      let inside = part.parts().parts
      if let found = root(part, inside) ?? inner(inside, level: level + 1) { return found }
    }
    return nil
  }

  private static func root(_ message: MIMEMessage, _ parts: [MIMEMessage]) -> MIMEMessage? {
    if let start = message.parameter("start"),
      let named = parts.first(where: { $0["content-id"] == start }),
      PageContainer.isPage(type: named["content-type"])
    {
      return named
    }
    return parts.first { PageContainer.isPage(type: $0["content-type"]) }
  }
}

extension MIMEMessage {
  /// A URL in a header field: long ones are folded, and no blank is theirs (RFC 2557, section
  /// 4.4.2).
  fileprivate func place(_ name: String) -> String? {
    self[name]?.filter { $0 != " " && $0 != "\t" }
  }
}
