/// A file that holds pages: which kind it is, and what they are.
package enum PageContainer: Sendable {
  case html
  /// A page with its parts as a message (RFC 2557).
  case mhtml
  /// An archive of requests (HAR 1.2).
  case har

  /// Finds out by the content, then by the name.
  package static func kind(of bytes: [UInt8], name: String) -> PageContainer {
    let start = bytes.first { !$0.isSpace && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
    let lowered = name.loweredASCII
    if start == UInt8(ascii: "{"), lowered.hasSuffix(".har") || hasLog(bytes) { return .har }
    if start != UInt8(ascii: "<"), MIMEMessage.isMessage(bytes) { return .mhtml }
    if lowered.hasSuffix(".mht") || lowered.hasSuffix(".mhtml") { return .mhtml }
    return .html
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
    }
  }

  static let xhtmlType = "application/xhtml+xml"

  package static func isPage(type: String?) -> Bool {
    ["text/html", xhtmlType].contains(type?.essence)
  }
}
