import Events

/// A web server's log in the Common or the Combined Log Format.
enum AccessLog: HistoryFormat {
  static let name = "access-log"
  static let summary = "views in a web server's log (Apache, nginx)"

  static func recognises(_ file: InputFile) -> Bool {
    // Another first line is of another format.
    file.headLines.first.map { line in
      (try? AccessLogLine(Array(CommandText.trimmed(line).utf8)[...])) != nil
    } ?? false
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
      let view: ImportedEvent?
      do throws(AccessLogLine.Malformed) { view = try event(line.bytes, place) } catch {
        return events.malformed(place, error.reason)
      }
      if let view { try events.add(view) } else { events.skip("no view") }
    }
  }

  private static func event(_ bytes: [UInt8], _ place: RecordPlace) throws(AccessLogLine.Malformed)
    -> ImportedEvent?
  {
    let line = try AccessLogLine(bytes[...])
    guard line.isView else { return nil }
    let target = WebAddress.withoutUser(line.target)
    let domain = domain(of: target)
    let most = EventLimits.itemByteCount
    guard target.utf8.count <= most, (domain?.utf8.count ?? 0) <= EventLimits.domainByteCount
    else {
      throw AccessLogLine.Malformed(reason: "the request's path is longer than \(most) bytes")
    }
    // The same line may stand there twice, and is two views then.
    var identity = Identity(name)
    identity.addCount()
    identity.add(bytes)
    var event = ImportedEvent(
      item: target, domain: domain, time: line.time * 1_000_000,
      title: PercentEncoding.decode(target), identity: identity, place: place)
    event.actor = line.host
    event.user = line.user
    return event
  }

  /// The domain of the folders; of a whole address, which proxies are asked for, that of the page.
  static func domain(of target: String) -> String? {
    if target.utf8.first != UInt8(ascii: "/"), case .page(let domain, _, _) = WebAddress(target) {
      return domain
    }
    return DomainPath.folders(of: target.prefix { $0 != "?" && $0 != "#" })
  }
}
