internal import WebMarkup

/// A sitemap (sitemaps.org): the URLs of a site, also as a feed of RSS or Atom, or other sitemaps.
package struct Sitemap: Sendable {
  /// More URLs than these are left out.
  package static let entryCountMax = 50_000
  /// Bytes of a sitemap, unpacked.
  package static let byteCountMax = 50 << 20

  package struct Entry: Sendable, Equatable {
    /// As written, its references resolved.
    package var url: String
    /// As written.
    package var lastModified: String?
  }

  /// Whether the URLs are those of other sitemaps.
  package var isIndex = false
  /// In the order of the file.
  package var entries: [Entry] = []

  /// Reads a sitemap of XML, a feed, or lines of text; nil where the bytes are none, and for text
  /// without a URL.
  /// - Complexity: O(bytes).
  package init?(_ bytes: [UInt8]) {
    let start = DecodedText(bytes, contentType: nil).bytes.drop { $0 <= 0x20 }
    guard start.first == UInt8(ascii: "<") else {
      readLines(start)
      if entries.isEmpty { return nil }
      return
    }
    var scanner = Scanner(bytes: start)
    guard let root = scanner.root(), let form = Form(root: root) else { return nil }
    isIndex = root == "sitemapindex"
    var entry = Entry(url: "")
    var own = entry
    while entries.count < Self.entryCountMax, let tag = scanner.tag() {
      switch tag {
      case form.entry where form.isFeed: entry = Entry(url: "")
      case form.url where entry.url.isEmpty: entry.url = scanner.address()
      // Of an entry that a feed of Atom took from another, what is inside is the other's.
      case "source": own = entry
      case "/source": entry = own
      case form.time: entry.lastModified = scanner.text()
      case "/" + form.entry:
        if !entry.url.isEmpty { entries.append(entry) }
        entry = Entry(url: "")
      default: break
      }
    }
    guard !form.isFeed, !entry.url.isEmpty, entries.count < Self.entryCountMax else { return }
    entries.append(entry)
  }

  private mutating func readLines(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, entries.count < Self.entryCountMax {
      let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest[line.endIndex...].dropFirst()
      let word = line.drop { $0 <= 0x20 }
      guard word.first == UInt8(ascii: "h") || word.first == UInt8(ascii: "H") else { continue }
      let text = String(decoding: word, as: UTF8.self)
      let start = text.prefix(8).lowercased()
      guard start.hasPrefix("http://") || start == "https://" else { continue }
      entries.append(Entry(url: String(text.prefix { !$0.isWhitespace })))
    }
  }

  /// The names of the elements that matter.
  private struct Form {
    var entry: String
    var url = "loc"
    var time = "lastmod"

    /// Whether what stands outside of entries is the feed's own.
    var isFeed: Bool { url == "link" }

    init?(root: String) {
      switch root {
      case "urlset": entry = "url"
      case "sitemapindex": entry = "sitemap"
      // Its times are no RFC 3339.
      case "rss": (entry, url, time) = ("item", "link", "")
      case "feed": (entry, url, time) = ("entry", "link", "updated")
      default: return nil
      }
    }
  }

  /// The elements of a sitemap, without its prefix; those of other namespaces keep theirs, and
  /// nothing outside the file is ever read.
  private struct Scanner {
    var bytes: ArraySlice<UInt8>
    private var prefix = ""
    /// The tag that was read last, with its attributes.
    private var inside: ArraySlice<UInt8> = []

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The name of the first element.
    mutating func root() -> String? {
      while let tag = tag() {
        guard let first = tag.first, first != "?", first != "!" else { continue }
        guard let colon = tag.lastIndex(of: ":") else { return tag }
        prefix = String(tag[...colon])
        return String(tag[tag.index(after: colon)...])
      }
      return nil
    }

    /// The URL of an element: its text, in Atom its `href`, where it leads to the entry itself.
    mutating func address() -> String {
      guard let target = attribute("href") else { return text() }
      return attribute("rel") ?? "alternate" == "alternate" ? target : ""
    }

    private func attribute(_ name: String) -> String? {
      var rest = inside.drop { $0 > 0x20 }
      while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
        let found = Self.trimmed(rest[..<sign])
        rest = rest[(sign + 1)...].drop { $0 <= 0x20 }
        guard let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else { return nil }
        if found == name { return Self.resolved(Self.trimmed(rest[..<end])) }
        rest = rest[(end + 1)...]
      }
      return nil
    }

    /// The name of the next tag, `/` before that of an end tag.
    mutating func tag() -> String? {
      guard let open = bytes.firstIndex(of: UInt8(ascii: "<")) else { return nil }
      bytes = bytes[(open + 1)...]
      if bytes.starts(with: "!--".utf8) {
        skip(past: "-->")
        return "!"
      }
      if bytes.starts(with: "![CDATA[".utf8) {
        skip(past: "]]>")
        return "!"
      }
      guard let close = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      inside = bytes[..<close]
      bytes = bytes[(close + 1)...]
      let isEnd = inside.first == UInt8(ascii: "/")
      let name = (isEnd ? inside.dropFirst() : inside).prefix { $0 > 0x20 && $0 != 0x2F }
      let own = name.starts(with: prefix.utf8) ? name.dropFirst(prefix.utf8.count) : name
      return (isEnd ? "/" : "") + String(decoding: own, as: UTF8.self)
    }

    private mutating func skip(past mark: String) {
      let mark = Array(mark.utf8)
      while let first = bytes.firstIndex(of: mark[0]) {
        bytes = bytes[first...]
        if bytes.starts(with: mark) {
          bytes = bytes.dropFirst(mark.count)
          return
        }
        bytes = bytes.dropFirst()
      }
      bytes = []
    }

    mutating func text() -> String {
      let blanks = bytes.drop { $0 <= 0x20 }
      if blanks.starts(with: "<![CDATA[".utf8) {
        bytes = blanks.dropFirst(9)
        let start = bytes
        skip(past: "]]>")
        return Self.trimmed(start[..<max(start.startIndex, bytes.startIndex - 3)])
      }
      // One that the file ends in may be cut.
      guard let end = bytes.firstIndex(of: UInt8(ascii: "<")) else { return "" }
      let text = Self.trimmed(bytes[..<end])
      bytes = bytes[end...]
      return text.contains("&") ? Self.resolved(text) : text
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
      var text = bytes.drop { $0 <= 0x20 }
      while let last = text.last, last <= 0x20 { text = text.dropLast() }
      return String(decoding: text, as: UTF8.self)
    }

    /// The five names of XML and characters by number; there are no others without a document
    /// type.
    private static func resolved(_ text: String) -> String {
      var result = ""
      var rest = text.unicodeScalars[...]
      while let sign = rest.firstIndex(of: "&") {
        result += String(rest[..<sign])
        rest = rest[sign...].dropFirst()
        if let end = rest.prefix(referenceLengthMax).firstIndex(of: ";"),
          let found = scalar(String(rest[..<end]))
        {
          result.unicodeScalars.append(found)
          rest = rest[end...].dropFirst()
        } else {
          result += "&"
        }
      }
      return result + String(rest)
    }

    private static let referenceLengthMax = 32

    /// The meaning of what stands between `&` and `;`; nil for none, or no character of XML.
    private static func scalar(_ name: String) -> Unicode.Scalar? {
      switch name {
      case "amp": return "&"
      case "lt": return "<"
      case "gt": return ">"
      case "quot": return "\""
      case "apos": return "'"
      default: break
      }
      guard name.hasPrefix("#"), !name.contains("+") else { return nil }
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
        value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D,
        value != 0xFFFE, value != 0xFFFF
      else { return nil }
      return Unicode.Scalar(value)
    }
  }
}
