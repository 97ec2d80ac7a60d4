package import Events

/// What an import has to be told, since files do not say it.
package struct ImportOptions: Sendable {
  /// The machine the files are from.
  package var host: String
  /// What `~` was.
  package var home: String
  /// Whether somebody said so, or it is supposed.
  package var isHostNamed = false
  package var isHomeNamed = false
  /// The zone of times that are written without one.
  package var zone: TimeZone
  /// A folder for copies of databases and for sorting, in which a private one is made.
  package var scratch: String
  /// Leaves out what happened before, in microseconds; what has no time is kept.
  package var since: Int64?
  /// Keeps only what is in one of these domains or below; empty: everything.
  package var domains: [String] = []
  /// Leaves out items that hold one of these texts (`*` stands for anything).
  package var except: [String] = []
  /// What the store keeps no longer: events of a domain and below, of a kind and of a source, where
  /// these are named, that happened before a time in microseconds.
  package var outlived: [(domain: String?, kind: EventKind?, source: String?, end: Int64)] = []
  /// Takes commands that hold a password or a token, too.
  package var takesSecrets = false
  /// Whether files are read again as they grow: a last line without its end is still being written.
  package var isFollowed = false
  /// What the items of a git repository begin with; nil for their bare paths.
  package var repository: RepositoryName?

  package init(host: String, home: String, zone: TimeZone = .utc, scratch: String) {
    self.host = host
    // What is below a home has one name, however the home is written.
    var home = home[...]
    while home.last == "/" { home = home.dropLast() }
    self.home = String(home)
    self.zone = zone
    self.scratch = scratch
  }

  /// Whether an event is wanted; else why not.
  ///
  /// What has no time happened no later than its file was written last.
  func refusal(of event: ImportedEvent, from source: String, modified: Int64) -> String? {
    let time = event.time ?? modified
    let isOutlived = outlived.contains {
      time < $0.end && ($0.kind ?? event.kind) == event.kind && ($0.source ?? source) == source
        && DomainPath.covers($0.domain ?? "", event.domain ?? "")
    }
    return refusal(before: time) ?? refusal(outside: event.domain ?? "")
      ?? refusal(of: event.item) ?? (isOutlived ? "older than retention keeps" : nil)
  }

  /// Whether anything is left out.
  var leavesOut: Bool { since != nil || !domains.isEmpty || !except.isEmpty }

  /// What is said of what happened before the time from which things are wanted.
  func refusal(before time: Int64?) -> String? {
    if let since, let time, time < since { "before --since" } else { nil }
  }

  /// What is said of a domain that is none of those wanted.
  func refusal(outside domain: String) -> String? {
    guard !domains.isEmpty else { return nil }
    let isIn = domains.contains { DomainPath.covers($0, domain) }
    return isIn ? nil : Self.outside
  }

  static let outside = "outside --only"

  /// What is said of an item that is not wanted.
  ///
  /// A path is written as people read it, and stands in its item percent-encoded. Hosts have no
  /// case, and nobody wants to leave out one spelling alone.
  func refusal(of item: String) -> String? {
    guard !except.isEmpty else { return nil }
    let names = Set([item, PercentEncoding.decode(item)].map { $0.lowercased() })
    let isLeftOut = except.contains { text in
      names.contains { Wildcard.matches("*\(text.lowercased())*", $0) }
    }
    return isLeftOut ? "--except" : nil
  }
}

/// Patterns in which `*` stands for any text.
enum Wildcard {
  /// Whether a pattern matches the whole text.
  /// - Complexity: O(*n* · *m*) at worst, O(*n*) for what people write.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let wanted = Array(pattern.utf8)
    let bytes = Array(text.utf8)
    var (p, t) = (0, 0)
    var star = -1
    var mark = 0
    while t < bytes.count {
      if p < wanted.count, wanted[p] == UInt8(ascii: "*") {
        star = p
        mark = t
        p += 1
      } else if p < wanted.count, wanted[p] == bytes[t] {
        p += 1
        t += 1
      } else if star >= 0 {
        p = star + 1
        mark += 1
        t = mark
      } else {
        return false
      }
    }
    while p < wanted.count, wanted[p] == UInt8(ascii: "*") { p += 1 }
    return p == wanted.count
  }
}
