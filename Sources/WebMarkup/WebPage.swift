/// A page as it is on the wire or on a disk.
package struct PageSource: Sendable {
  /// What it is called in messages and results.
  package var name: String
  /// Its bytes, decoded from any transfer or content coding.
  var bytes: [UInt8]
  /// URLs that say whose page it is, the strongest first, each with what says it.
  package var urls: [(source: String, url: String)] = []
  /// Where it came from in the end, which relative URLs are relative to; nil for whose page it is.
  package var base: WebURL?
  /// Whether its type is that of a page; what is none becomes no item.
  package var isPage = true
  /// Header fields that came with it.
  package var headers: [(name: String, value: String)] = []
  /// The status of the answer; nil for a file.
  package var status: Int?
  /// When it was had, as RFC 3339.
  package var time: String?
  /// The association file of its host.
  package var association: AppSiteAssociation?
  /// Which host that is: the file says nothing of links to others; nil for any.
  package var associationHost: String?
  /// Which crawler's rules hold besides those for all.
  package var agent = "cairn"

  /// A page without anything known about it.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  func header(_ name: String) -> String? { headers.field(name) }
}

extension [(name: String, value: String)] {
  /// The value of the first field of a name in lower case; of several types the last one holds, as
  /// in browsers (Fetch, to extract a MIME type).
  package func field(_ name: String) -> String? {
    let isNamed = { (field: Element) in field.name.loweredASCII == name }
    return (name == "content-type" ? last(where: isNamed) : first(where: isNamed))?.value
  }
}

/// What a page says about itself: text, links into apps, structured data, and what was wrong.
///
/// A part that cannot be read never costs the rest. Formats: HTML, JSON-LD 1.1, Microdata as in
/// HTML, RDFa Lite 1.1, Open Graph, Apple's web markup.
package struct WebPage: Sendable {
  /// What it is called in messages and results.
  package let source: String
  /// Where it is, without fragment; nil where nothing says it.
  package let url: WebURL?
  /// What said where it is.
  let urlFrom: String?
  /// The status of the answer; nil for a file.
  package let status: Int?
  /// Whether its type is that of a page; what is none becomes no item.
  package let isPage: Bool
  /// When it was had, as RFC 3339.
  package let time: String?
  /// The Encoding Standard's name of its encoding.
  package let encoding: String
  /// As the page writes it.
  package let language: String?
  /// White space collapsed.
  package let title: String?
  /// White space collapsed.
  package let description: String?
  /// Absolute.
  package let image: String?
  /// Absolute.
  package let canonical: String?
  /// In Apple's order of preference.
  package let deepLinks: [DeepLink]
  /// Properties and contents in document order.
  let openGraph: [(property: String, content: String)]
  /// One for each script that holds JSON.
  let jsonLD: [JSONLDBlock]
  /// Top-level items in HTML's JSON form.
  let microdata: JSON
  /// Expanded, flattened JSON-LD.
  let rdfa: JSON
  /// What all three syntaxes describe, in one shape.
  package let things: [Thing]
  /// What a search engine may do with it.
  package let robots: PageRobots
  /// The main text.
  package let text: String?
  /// The item it becomes; nil for none, as of an answer that is no page.
  package internal(set) var item: WebItem?
  /// Of `deepLink`, `title`, `description`, `image` what the markup lacks.
  package let missing: [String]
  /// What could not be read, by place.
  package internal(set) var malformed: [MarkupFault] = []
  /// What a search result would show, a line each.
  package internal(set) var richResult: [String] = []
  /// Where it leads: the URLs of its links that may be followed, each once.
  package internal(set) var links: [String] = []
  /// All URLs that name the page, its item's identity first.
  package internal(set) var keys: [String] = []
}
