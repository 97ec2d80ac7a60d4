/// Pages that browsers save with their parts as one message (RFC 2557).
enum MHTML {
  static func contents(of bytes: [UInt8], name: String) -> PageContainer.Contents {
    let message = MIMEMessage(bytes[...])
    let (parts, isWhole) = message.isMultipart ? message.parts() : ([message], true)
    guard let root = root(message, parts) ?? inner(parts) else {
      return PageContainer.Contents(damage: "no part of the message is HTML")
    }
    var page = PageSource(name: name, bytes: root.content)
    for location in [message["snapshot-content-location"], root["content-location"]] {
      if let location { page.urls.append(("record", location)) }
    }
    page.headers = root.headers
    page.time = message["date"].flatMap { MarkupDate(mailText: $0)?.rfc3339 }
    return PageContainer.Contents(
      pages: [page], damage: isWhole ? nil : "the message ends before its last part does")
  }

  /// The page of the first part that holds a page with its parts, as mail with attachments has it.
  private static func inner(_ parts: [MIMEMessage]) -> MIMEMessage? {
    for part in parts where part.isMultipart {
      if let found = root(part, part.parts().parts) { return found }
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
