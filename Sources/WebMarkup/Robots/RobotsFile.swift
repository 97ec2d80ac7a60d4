/// A `robots.txt` (RFC 9309): what a crawler may fetch of a host.
package struct RobotsFile: Sendable {
  /// What lies behind is not read (RFC 9309, section 2.5).
  package static let byteCountMax = 500 << 10

  private struct Rule {
    let allows: Bool
    let text: String
    let pattern: [UInt8]
    /// The same with what divides no query plain there.
    let inQuery: [UInt8]
    let line: Int
  }

  private struct Group {
    var agents: [String]
    var rules: [Rule] = []
    var delay: Double?
  }

  private var groups: [Group] = []
  /// The sitemaps that the file names, as written.
  package private(set) var sitemaps: [String] = []

  /// Reads a file; what is no record is left out, and nothing is refused.
  package init(_ bytes: [UInt8]) {
    var takesAgents = false
    for (index, line) in Self.lines(Self.head(of: bytes)).enumerated() {
      guard let (key, octets) = Self.record(line) else { continue }
      let value = String(decoding: octets, as: UTF8.self)
      switch key {
      case "user-agent":
        let token = Self.token(value)
        if takesAgents, !groups.isEmpty {
          groups[groups.count - 1].agents.append(token)
        } else {
          groups.append(Group(agents: [token]))
        }
        takesAgents = true
      case "allow", "disallow":
        takesAgents = false
        guard !groups.isEmpty, !value.isEmpty else { continue }
        let rule = Rule(
          allows: key == "allow", text: value, pattern: Self.normalized(octets, isPattern: true),
          inQuery: Self.normalized(octets, isPattern: true, decodesQuery: true), line: index + 1)
        groups[groups.count - 1].rules.append(rule)
      case "crawl-delay":
        // What is not the standard's ends no group (section 2.2.4): agents may follow.
        guard let last = groups.indices.last else { continue }
        groups[last].delay = [groups[last].delay, MarkupNumber.parse(value)].compactMap(\.self)
          .max()
      case "sitemap": sitemaps.append(value)
      default: break
      }
    }
  }

  /// What is read of a file: a rule that is cut would be another one.
  private static func head(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard bytes.count > byteCountMax else { return bytes[...] }
    let end = bytes[...byteCountMax].lastIndex { $0 == 0x0a || $0 == 0x0d }
    return bytes[..<(end ?? 0)]
  }

  private static func lines(_ bytes: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    let text = Array(bytes)
    var lines: [ArraySlice<UInt8>] = []
    var start = text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    var index = start
    while index <= text.count {
      if index == text.count || text[index] == 0x0a || text[index] == 0x0d {
        lines.append(text[start..<index])
        if index + 1 < text.count, text[index] == 0x0d, text[index + 1] == 0x0a { index += 1 }
        start = index + 1
      }
      index += 1
    }
    return lines
  }

  /// The value stays in octets: paths are compared so, and need not be UTF-8.
  private static func record(_ line: ArraySlice<UInt8>) -> (key: String, value: [UInt8])? {
    let content = line.prefix { $0 != 0x23 }
    guard let colon = content.firstIndex(of: 0x3a) else { return nil }
    let key = String(decoding: content[..<colon], as: UTF8.self).strippedSpace.loweredASCII
    return (key, Array(content[(colon + 1)...].strippedSpace))
  }

  /// The product token: letters, `-` and `_`, in lower case; `*` as it is.
  static func token(_ agent: String) -> String {
    if agent.hasPrefix("*") { return "*" }
    let bytes = agent.utf8.prefix { $0.isLetter || $0 == 0x2d || $0 == 0x5f }
    return String(decoding: bytes.map(\.lowered), as: UTF8.self)
  }

  /// Octets written alike: unreserved ones plain, all others outside URLs as `%XX`.
  ///
  /// Behind a question mark `:` and `/` divide nothing, and the standard's table has one form for
  /// `?baz=https://foo.bar` and `?baz=https%3A%2F%2Ffoo.bar` (RFC 9309, section 2.2.2): there they
  /// are made plain where that is asked for.
  private static func normalized(
    _ bytes: [UInt8], isPattern: Bool, decodesQuery: Bool = false
  ) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    var isQuery = false
    while index < bytes.count {
      let byte = bytes[index]
      isQuery = isQuery || decodesQuery && byte == 0x3f
      if byte == 0x25, index + 2 < bytes.count, bytes[index + 1].isHexDigit,
        bytes[index + 2].isHexDigit
      {
        let value = bytes[index + 1].hexValue << 4 | bytes[index + 2].hexValue
        if isUnreserved(value) || isQuery && (value == 0x3a || value == 0x2f) {
          result.append(value)
        } else {
          result += [byte] + bytes[(index + 1)...(index + 2)].map { $0.isLetter ? $0 & 0xdf : $0 }
        }
        index += 3
      } else {
        let isSign = isPattern && (byte == 0x2a || (byte == 0x24 && index == bytes.count - 1))
        if !isSign, byte == 0x2a || byte == 0x24 {
          result += byte == 0x2a ? Array("%2A".utf8) : Array("%24".utf8)
        } else {
          PercentEncodeSet.specialQuery.append(byte, to: &result)
        }
        index += 1
      }
    }
    return result
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == 0x2d || byte == 0x2e || byte == 0x5f || byte == 0x7e
  }

  // MARK: Asking

  /// What a file says of a URL.
  package struct Verdict: Sendable {
    package let allowed: Bool
    /// The rule that decided, as written.
    package let rule: String?
    /// Its line, from 1.
    package let line: Int?

    /// As `cairn weblink robots` shows it.
    package func json(of url: String) -> JSON {
      .members([
        "url": .string(url), "allowed": .bool(allowed), "rule": .text(rule),
        "line": line.map { .integer($0) } ?? .null,
      ])
    }
  }

  /// The groups that hold for a crawler.
  private func groups(for agent: String) -> [Group] {
    let token = Self.token(agent)
    var names = [token]
    if token == "applebot" { names.append("googlebot") }
    names.append("*")
    for name in names {
      let found = groups.filter { $0.agents.contains(name) }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Seconds to wait between requests; Applebot's own ways have none.
  package func crawlDelay(agent: String) -> Double? {
    guard Self.token(agent) != "applebot" else { return nil }
    return groups(for: agent).compactMap(\.delay).max()
  }

  /// Whether a crawler may fetch a URL: the longest rule decides, of equal ones the allowing.
  package func verdict(_ url: WebURL, agent: String) -> Verdict {
    let text = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
    let path = Self.normalized(Array(text.utf8), isPattern: false)
    let inQuery = Self.normalized(Array(text.utf8), isPattern: false, decodesQuery: true)
    if url.path == "/robots.txt" { return Verdict(allowed: true, rule: nil, line: nil) }
    var best: Rule?
    for rule in groups(for: agent).flatMap(\.rules)
    where Self.matches(rule.pattern, path) || Self.matches(rule.inQuery, inQuery) {
      if let old = best {
        let isLonger = rule.pattern.count > old.pattern.count
        let isTie = rule.pattern.count == old.pattern.count && rule.allows && !old.allows
        guard isLonger || isTie else { continue }
      }
      best = rule
    }
    return Verdict(allowed: best?.allows ?? true, rule: best?.text, line: best?.line)
  }

  /// `*` is any run, `$` at the end the end; else a pattern is the beginning of a path.
  private static func matches(_ pattern: [UInt8], _ path: [UInt8]) -> Bool {
    let isAnchored = pattern.last == 0x24
    let body = isAnchored ? pattern.dropLast() : pattern[...]
    let parts = body.split(separator: 0x2a, omittingEmptySubsequences: false)
    guard let first = parts.first, path.starts(with: first) else { return false }
    var position = first.count
    for (index, part) in parts.enumerated().dropFirst() {
      if isAnchored, index == parts.count - 1 {
        return path.count - position >= part.count && path.suffix(part.count) == part
      }
      guard let found = find(part, in: path, from: position) else { return false }
      position = found + part.count
    }
    return !isAnchored || position == path.count
  }

  private static func find(_ part: ArraySlice<UInt8>, in path: [UInt8], from start: Int) -> Int? {
    guard path.count - start >= part.count else { return nil }
    return (start...(path.count - part.count)).first { path[$0...].starts(with: part) }
  }
}
