/// What a URL of a history names.
enum WebAddress {
  /// A page: the item is the URL as stored; `path` is what may be searched for, decoded.
  case page(domain: String, host: String, path: String)
  /// A file or a folder.
  case file(FileItem)
  /// A scheme that is no activity, such as `about:`.
  case skipped(String)
  /// No URL; the text says why.
  case malformed(String)

  /// Schemes of pages; `file` is the only other one that is kept.
  private static let pageSchemes: Set<String> = ["http", "https", "ftp", "gopher", "gemini"]
  static let byteCountMax = 4096

  init(_ url: String) {
    guard !url.isEmpty else {
      self = .malformed("no URL")
      return
    }
    guard url.utf8.count <= Self.byteCountMax else {
      self = .malformed("a URL longer than \(Self.byteCountMax) bytes")
      return
    }
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(url[..<colon])
    else {
      self = .malformed("a URL without a scheme")
      return
    }
    let scheme = url[..<colon].lowercased()
    let rest = url[url.utf8.index(after: colon)...]
    if scheme == "file" {
      self = Self.file(rest)
    } else if Self.pageSchemes.contains(scheme) {
      self = Self.page(rest)
    } else {
      self = .skipped(scheme + ":")
    }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
      default: false
      }
    }
  }

  private static func page(_ rest: Substring) -> WebAddress {
    guard rest.hasPrefix("//") else { return .malformed("a URL without a host") }
    let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
    let end = rest.utf8[start...].firstIndex { [0x2F, 0x3F, 0x23, 0x5C].contains($0) }
    var host = rest[start..<(end ?? rest.endIndex)]
    if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
      host = host[host.utf8.index(after: at)...]
    }
    host = withoutPort(host)
    let name = String(decoding: host.utf8.map(lowercase), as: UTF8.self)
    guard let domain = domain(of: name) else { return .malformed("a URL without a host") }
    let path = PercentEncoding.decode(String(rest[(end ?? rest.endIndex)...]))
    return .page(domain: domain, host: name, path: path)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func withoutPort(_ host: Substring) -> Substring {
    let from = host.utf8.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
    guard let colon = host.utf8[from...].firstIndex(of: UInt8(ascii: ":")) else { return host }
    return host[..<colon]
  }

  /// `www.swift.org` as `web.org.swift.www`; addresses stay one component.
  static func domain(of host: String) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: true)
    guard !labels.isEmpty else { return nil }
    let isAddress =
      host.hasPrefix("[")
      || labels.count == 4
        && labels.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    if isAddress { return "web." + PathDomain.escape(host[...]) }
    return "web." + labels.reversed().map { PathDomain.escape($0) }.joined(separator: ".")
  }

  private static func file(_ rest: Substring) -> WebAddress {
    var path = rest.prefix { $0 != "?" && $0 != "#" }
    if path.hasPrefix("//") {
      // An authority names this machine, or nothing.
      path = path.dropFirst(2)
      guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else {
        return .malformed("a file URL without a path")
      }
      path = path[slash...]
    }
    guard let item = FileItem(path: PercentEncoding.bytes(path)) else {
      return .malformed("a path that is not absolute")
    }
    return .file(item)
  }
}
