import Values

/// A page or a file that somebody saw, with what its source knows.
struct PageVisit {
  /// Nil where the source has none, which is malformed.
  var url: String?
  var title: String?
  /// Microseconds since 1970.
  var time: Int64?
  var transition: Transition?
  var dwell: Double?
  var device: String?
  var place: RecordPlace
}

extension Collector {
  /// Adds a visit, or counts why it is none.
  func add(_ visit: PageVisit, _ complete: (inout ImportedEvent) -> Void = { _ in })
    throws(CairnError)
  {
    guard var event = event(url: visit.url, title: visit.title, at: visit.place) else { return }
    guard let time = time(visit.time, at: visit.place) else { return }
    event.time = time
    event.identity = .pageVisit(event.item, time)
    event.transition = visit.transition
    event.dwell = visit.dwell
    event.device = visit.device
    complete(&event)
    try add(event)
  }

  /// An event of what a URL names, without time and identity; nil, and counted, where it is none.
  func event(url: String?, title: String?, at place: RecordPlace) -> ImportedEvent? {
    guard let url else {
      malformed(place, "no URL")
      return nil
    }
    switch WebAddress(url) {
    case .malformed(let reason):
      malformed(place, reason)
      return nil
    case .skipped(let scheme):
      skip(scheme)
      return nil
    case .file(let file): return event(file: file, title: title, at: place)
    case .page(let domain, let host, let path):
      let title = title.flatMap(CommandText.nonBlank) ?? PercentEncoding.decode(url)
      var event = ImportedEvent(
        item: url, domain: domain, time: nil, title: title, identity: Identity(), place: place)
      // People look for the words of an address, and addresses are not searched.
      event.set("alternateNames", [host + path])
      return event
    }
  }

  /// An event of a file, without time and identity.
  func event(file: FileItem, title: String?, at place: RecordPlace) -> ImportedEvent? {
    guard file.item.utf8.count <= WebAddress.byteCountMax else {
      malformed(place, "a path longer than \(WebAddress.byteCountMax) bytes")
      return nil
    }
    return ImportedEvent(
      item: file.item, domain: file.domain, time: nil,
      title: title.flatMap(CommandText.nonBlank) ?? file.name, identity: Identity(), place: place)
  }

  /// An event of a file by its path as stored.
  func event(path: String, title: String? = nil, at place: RecordPlace) -> ImportedEvent? {
    event(path: Array(path.utf8), title: title, at: place)
  }

  func event(path: [UInt8], title: String? = nil, at place: RecordPlace) -> ImportedEvent? {
    guard let file = FileItem(path: path, home: options.home) else {
      // Editors call by an address what is in no file here, such as `term://…` and `fugitive://…`.
      if path.firstRange(of: "://".utf8) != nil {
        return event(url: FileItem.text(path), title: title, at: place)
      }
      malformed(place, "a path that is not absolute")
      return nil
    }
    return event(file: file, title: title, at: place)
  }
}
