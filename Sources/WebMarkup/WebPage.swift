/// A page as it is on the wire or on a disk.
public struct PageSource: Sendable {
  /// What it is called in messages and results.
  public var name: String
  /// Its bytes, decoded from any transfer or content coding.
  public var bytes: [UInt8]
  /// URLs that say whose page it is, the strongest first, each with what says it.
  public var urls: [(source: String, url: String)] = []
  /// Where it came from in the end, which relative URLs are relative to; nil for whose page it is.
  public var base: WebURL?
  /// Whether its type is that of a page; what is none becomes no item.
  public var isPage = true
  /// Header fields that came with it.
  public var headers: [(name: String, value: String)] = []
  /// The status of the answer; nil for a file.
  public var status: Int?
  /// When it was had, as RFC 3339.
  public var time: String?
  /// The association file of its host.
  public var association: AppSiteAssociation?
  /// Which host that is: the file says nothing of links to others; nil for any.
  public var associationHost: String?
  /// Which crawler's rules hold besides those for all.
  public var agent = "cairn"

  /// A page without anything known about it.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  func header(_ name: String) -> String? { headers.field(name) }
}

extension [(name: String, value: String)] {
  /// The value of the first field of a name in lower case; of several types the last one holds, as
  /// in browsers (Fetch, to extract a MIME type).
  public func field(_ name: String) -> String? {
    let isNamed = { (field: Element) in field.name.loweredASCII == name }
    return (name == "content-type" ? last(where: isNamed) : first(where: isNamed))?.value
  }
}

/// What a page says about itself: text, links into apps, structured data, and what was wrong.
///
/// A part that cannot be read never costs the rest. Formats: HTML, JSON-LD 1.1, Microdata as in
/// HTML, RDFa Lite 1.1, Open Graph, Apple's web markup.
public struct WebPage: Sendable {
  /// What it is called in messages and results.
  public let source: String
  /// Where it is, without fragment; nil where nothing says it.
  public let url: WebURL?
  /// What said where it is.
  public let urlFrom: String?
  /// The status of the answer; nil for a file.
  public let status: Int?
  /// Whether its type is that of a page; what is none becomes no item.
  public let isPage: Bool
  /// When it was had, as RFC 3339.
  public let time: String?
  /// The Encoding Standard's name of its encoding.
  public let encoding: String
  /// As the page writes it.
  public let language: String?
  /// White space collapsed.
  public let title: String?
  /// White space collapsed.
  public let description: String?
  /// Absolute.
  public let image: String?
  /// Absolute.
  public let canonical: String?
  /// In Apple's order of preference.
  public let deepLinks: [DeepLink]
  /// Properties and contents in document order.
  public let openGraph: [(property: String, content: String)]
  /// One for each script that holds JSON.
  public let jsonLD: [JSONLDBlock]
  /// Top-level items in HTML's JSON form.
  public let microdata: JSON
  /// Expanded, flattened JSON-LD.
  public let rdfa: JSON
  /// What all three syntaxes describe, in one shape.
  public let things: [Thing]
  /// What a search engine may do with it.
  public let robots: PageRobots
  /// The main text.
  public let text: String?
  /// The item it becomes; nil for none, as of an answer that is no page.
  public internal(set) var item: WebItem?
  /// Of `deepLink`, `title`, `description`, `image` what the markup lacks.
  public let missing: [String]
  /// What could not be read, by place.
  public internal(set) var malformed: [MarkupFault] = []
  /// What a search result would show, a line each.
  public internal(set) var richResult: [String] = []
  /// Where it leads: the URLs of its links that may be followed, each once.
  public internal(set) var links: [String] = []
  /// All URLs that name the page, its item's identity first.
  public internal(set) var keys: [String] = []
}
