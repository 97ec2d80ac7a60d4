import Events
import Values

/// What a URL of a history names.
enum WebAddress {
  /// A page: the item is the URL as stored; `path` is what may be searched for, decoded.
  case page(domain: String, host: String, path: String)
  case file(FileItem)
  /// A scheme that is no activity, such as `about:`.
  case skipped(String)
  /// No URL; the text says why.
  case malformed(String)

  /// Schemes of pages; `file` is the only other one that is kept.
  private static let pageSchemes: Set<String> = ["http", "https", "ftp", "gopher", "gemini"]
  static let byteCountMax = 4096

  /// - Parameters:
  ///   - url: The text.
  ///   - limit: How many bytes it may have.
  init(_ url: String, upTo limit: Int = WebAddress.byteCountMax) {
    guard !url.isEmpty else {
      self = .malformed("no URL")
      return
    }
    guard url.utf8.count <= limit else {
      self = .malformed("a URL longer than \(limit) bytes")
      return
    }
    let bytes = Array(url.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
      self = .malformed("a URL without a scheme")
      return
    }
    let scheme = String(decoding: bytes[..<colon].map(Self.lowercase), as: UTF8.self)
    let rest = bytes[(colon + 1)...]
    if scheme == "file" {
      self = Self.file(rest)
    } else if Self.pageSchemes.contains(scheme) {
      self = Self.page(rest)
    } else {
      self = .skipped(scheme + ":")
    }
  }

  /// What a proxy was asked for, without the name and the password before the host, which are for
  /// that alone; what is no whole address, as it is.
  static func withoutUser(_ target: String) -> String {
    guard target.utf8.first != UInt8(ascii: "/"), let start = target.firstRange(of: "://"),
      isScheme(Array(target.utf8[..<start.lowerBound])[...])
    else { return target }
    let authority = authority(of: target.utf8[start.upperBound...])
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return target }
    return String(target[..<start.upperBound]) + target[target.utf8.index(after: at)...]
  }

  /// What stands before the path: the user, the host and the port.
  private static func authority<Bytes: Collection<UInt8>>(of rest: Bytes) -> Bytes.SubSequence {
    rest.prefix { ![0x2F, 0x3F, 0x23, 0x5C].contains($0) }
  }

  private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
      return false
    }
    return text.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
      default: false
      }
    }
  }

  private static func page(_ rest: ArraySlice<UInt8>) -> WebAddress {
    guard rest.starts(with: "//".utf8) else { return .malformed("a URL without a host") }
    var host = authority(of: rest.dropFirst(2))
    let path = rest[host.endIndex...]
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
    host = withoutPort(host)
    let name = host.map(lowercase)
    guard let domain = DomainPath.web(name) else { return .malformed("a URL without a host") }
    return .page(
      domain: domain, host: String(decoding: name, as: UTF8.self),
      path: PercentEncoding.decode(path) ?? String(decoding: path, as: UTF8.self))
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let from = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
    guard let colon = host[from...].firstIndex(of: UInt8(ascii: ":")) else { return host }
    return host[..<colon]
  }

  private static func file(_ rest: ArraySlice<UInt8>) -> WebAddress {
    var path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if path.starts(with: "//".utf8) {
      // An authority names this machine, or nothing.
      path = path.dropFirst(2)
      guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else {
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
