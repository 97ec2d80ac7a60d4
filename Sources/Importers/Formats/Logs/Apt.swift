import Events

/// `/var/log/apt/history.log`: packages that came, changed and went.
enum Apt: HistoryFormat {
  static let name = "apt"
  static let summary = "packages installed (apt history.log)"

  static func recognises(_ file: InputFile) -> Bool { file.holds("Start-Date: ") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard recognises(file) else {
      throw CairnError(.malformed, "is no history of apt (no Start-Date)")
    }
    var fields: [(name: String, value: String)] = []
    var start = 1
    var byteCount = 0
    var isTooLong = false
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      let text = line.repairedText
      // What was cut off in a line has no blank line after it.
      let isStart = text.hasPrefix("Start-Date: ")
      if isStart || CommandText.nonBlank(text) == nil {
        try read(fields, .line(start), into: events)
        fields = []
        byteCount = 0
        isTooLong = false
        guard isStart else { return }
      }
      byteCount += line.bytes.count
      guard !isTooLong, byteCount <= LineStream.byteCountMax, fields.count < 1000 else {
        if !isTooLong { events.malformed(.line(start), "the record is too long") }
        isTooLong = true
        fields = []
        return
      }
      if fields.isEmpty { start = line.number }
      guard let colon = text.firstRange(of: ": ") else {
        return events.malformed(place, "no field")
      }
      fields.append((String(text[..<colon.lowerBound]), String(text[colon.upperBound...])))
    }
    try read(fields, .line(start), into: events)
  }

  private static func read(
    _ fields: [(name: String, value: String)], _ place: RecordPlace, into events: Collector
  ) throws(CairnError) {
    guard !fields.isEmpty else { return }
    events.record = {
      Array(fields.map { "\($0.name): \($0.value)\n" }.joined(separator: "").utf8)
    }
    guard let stamp = fields.first(where: { $0.name == "Start-Date" })?.value,
      let local = CivilTime.iso(stamp.replacing("  ", with: " ")), CivilTime.isInRange(local)
    else { return events.malformed(place, "no time") }
    let time = events.options.zone.utc(fromLocal: local)
    let requester = fields.first { $0.name == "Requested-By" }?.value
    let actor = requester?.split(separator: " ").first.map(String.init) ?? "root"
    for field in fields {
      guard let kind = Change(rawValue: field.name) else { continue }
      for package in Package.list(field.value) {
        try add(package, kind, stamp, time, actor, place, events)
      }
    }
  }

  private enum Change: String {
    case install = "Install"
    case upgrade = "Upgrade"
    case remove = "Remove"
    case purge = "Purge"
    case reinstall = "Reinstall"
    case downgrade = "Downgrade"
  }

  private struct Package {
    /// Name and architecture, `name:amd64`.
    var id: String
    /// What stands in the brackets.
    var details: [String]

    /// The packages of `A:amd64 (1, 2), B:amd64 (3)`.
    static func list(_ text: String) -> [Package] {
      var packages: [Package] = []
      var rest = text[...]
      while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
        let id = CommandText.trimmed(rest[..<open].drop { $0 == "," || $0 == " " })
        let details = rest[rest.index(after: open)..<close].split(separator: ",")
        packages.append(Package(id: id, details: details.map { CommandText.trimmed($0) }))
        rest = rest[rest.index(after: close)...]
      }
      // What was cut off is no package.
      if rest.contains(where: { $0 != "," && !$0.isWhitespace }) {
        packages.append(Package(id: "", details: []))
      }
      return packages
    }
  }

  private static func add(
    _ package: Package, _ change: Change, _ stamp: String, _ time: Int64, _ actor: String,
    _ place: RecordPlace, _ events: Collector
  ) throws(CairnError) {
    guard !package.id.isEmpty else {
      return events.malformed(place, "a package without a name or a version")
    }
    let name = package.id.split(separator: ":").first.map(String.init) ?? package.id
    var event = ImportedEvent(
      item: "package:" + package.id,
      domain: OtherItems.domain("packages", events.options.host), time: time, title: name,
      identity: Identity(source, stamp, change.rawValue, package.id), place: place)
    switch change {
    case .install: event.kind = .index
    case .upgrade, .reinstall, .downgrade: event.kind = .update
    case .remove, .purge: event.kind = .delete
    }
    event.actor = actor
    event.set("version", package.details.last { $0 != "automatic" })
    if package.details.contains("automatic") { event.attributes["automatic"] = .bool(true) }
    try events.add(event)
  }
}
