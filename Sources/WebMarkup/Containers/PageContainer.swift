/// A file that holds pages: which kind it is, and what they are.
package enum PageContainer: Sendable {
  case html
  /// A page with its parts as a message (RFC 2557).
  case mhtml
  /// An archive of requests (HAR 1.2).
  case har
  /// Nothing that holds a page.
  case other

  /// Finds out by the content, then by the name.
  package static func kind(of bytes: [UInt8], name: String) -> PageContainer {
    let start = bytes.first { !$0.isSpace && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
    let lowered = name.loweredASCII
    if start == UInt8(ascii: "{"), lowered.hasSuffix(".har") || hasLog(bytes) { return .har }
    if start != UInt8(ascii: "<"), MIMEMessage.isMessage(bytes) { return .mhtml }
    if lowered.hasSuffix(".mht") || lowered.hasSuffix(".mhtml") { return .mhtml }
    let isNamed = [".html", ".htm", ".xhtml"].contains { lowered.hasSuffix($0) }
    if signatures.contains(where: { bytes.starts(with: $0) }) { return .other }
    return isNamed || start == UInt8(ascii: "<") || hasTag(bytes) ? .html : .other
  }

  /// How files begin that people keep beside pages, whatever they are called: PDF, PNG, JPEG, GIF,
  /// ZIP, gzip, SQLite.
  private static let signatures: [[UInt8]] =
    [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x1F, 0x8B]]
    + ["%PDF-1.", "%PDF-2.", "GIF87a", "GIF89a", "PK\u{3}\u{4}", "SQLite format 3\0"].map {
      Array($0.utf8)
    }

  /// Whether a text that is no JSON has a tag near its beginning, as a page without a name has.
  private static func hasTag(_ bytes: [UInt8]) -> Bool {
    let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let text = bytes.prefix(1 << 16).filter { !isWide || $0 != 0 }
    let first = text.first { !$0.isSpace }
    let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    // What is no JSON may be a page.
    let isJSON = mayBeJSON && (try? JSONReader.strict(bytes)) != nil
    guard !isJSON, !text.contains(0) else { return false }
    return zip(text, text.dropFirst()).contains { mark, next in
      mark == UInt8(ascii: "<") && (next.isLetter || "!/?".utf8.contains(next))
    }
  }

  private static func hasLog(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(1024).split(separator: UInt8(ascii: "\"")).contains {
      $0.elementsEqual("log".utf8)
    }
  }

  package struct Contents: Sendable {
    /// Its pages, in order.
    package var pages: [PageSource] = []
    /// The URLs of what is no page; "" for one that is not named.
    package var others: [String] = []
    /// Pages that cannot be read, and why; "" for one that is not named.
    package var refused: [(url: String, reason: String)] = []
    /// What ended the reading before the file's end; nil where nothing did.
    package var damage: String?
  }

  /// The pages of a file, and what else there is.
  ///
  /// Only answers that are HTML with status 200, 404 or 410 are pages.
  package func pages(in bytes: [UInt8], name: String) -> Contents {
    switch self {
    case .html: Contents(pages: [PageSource(name: name, bytes: bytes)])
    case .mhtml: MHTML.contents(of: bytes, name: name)
    case .har: HAR.contents(of: bytes, name: name)
    case .other: Contents(others: [""])
    }
  }

  static let xhtmlType = "application/xhtml+xml"

  package static func isPage(type: String?) -> Bool {
    ["text/html", xhtmlType].contains(type?.essence)
  }
}
