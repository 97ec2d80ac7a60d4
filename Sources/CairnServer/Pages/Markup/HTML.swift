import Events

/// HTML in the making.
///
/// Names of elements and attributes are constants of the program; everything else is text and
/// escaped, so that no stored text can become markup.
package struct HTML {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package enum Attribute {
    case text(StaticString, String)
    /// An attribute that is there or not, such as `checked`.
    case flag(StaticString, Bool)
  }

  /// An element around what the body writes.
  package mutating func element<Failure: Error>(
    _ name: StaticString, _ attributes: [Attribute] = [],
    _ body: (inout HTML) throws(Failure) -> Void
  ) throws(Failure) {
    open(name, attributes)
    try body(&self)
    close(name)
  }

  /// An element around a text.
  package mutating func element(
    _ name: StaticString, _ attributes: [Attribute] = [], _ text: String
  ) {
    open(name, attributes)
    self.text(text)
    close(name)
  }

  /// A link that the program words.
  mutating func link(_ text: String, to link: PageLink, class names: String? = nil) {
    let classes = names.map { [Attribute.class($0)] } ?? []
    element("a", classes + [.href(link)], text)
  }

  mutating func storedLink(_ text: String, to link: PageLink) {
    element("a", [.href(link)]) { $0.stored(text) }
  }

  /// An element that has no inside, such as `input`.
  package mutating func void(_ name: StaticString, _ attributes: [Attribute] = []) {
    open(name, attributes)
  }

  /// The heading of a column of a table.
  package enum Column {
    case text(String)
    /// Of numbers.
    case figure(String)
    /// Told to those alone who do not see the page.
    case hidden(String)
  }

  /// A table with its headings, around the rows that the body writes.
  package mutating func table(
    _ attributes: [Attribute] = [], caption: String? = nil, _ columns: [Column],
    _ rows: (inout HTML) -> Void
  ) {
    element("table", attributes) { html in
      if let caption { html.element("caption", [.class("hidden")], caption) }
      html.element("thead") { html in
        html.element("tr") { html in
          for column in columns {
            let scope = Attribute.text("scope", "col")
            switch column {
            case .text(let title): html.element("th", [scope], title)
            case .figure(let title): html.element("th", [scope, .class("figure")], title)
            case .hidden(let title):
              html.element("th", [scope]) { $0.element("span", [.class("hidden")], title) }
            }
          }
        }
      }
      html.element("tbody", [], rows)
    }
  }

  /// A text; control characters that HTML does not allow become U+FFFD.
  package mutating func text(_ text: String) { append(escaping: text) }

  package mutating func documentType() { append("<!DOCTYPE html>\n") }

  /// Markup that was made apart.
  mutating func append(_ other: HTML) { bytes += other.bytes }

  private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
    append("<")
    append(name)
    for attribute in attributes {
      switch attribute {
      case .text(let name, let value):
        append(" ")
        append(name)
        append("=\"")
        append(escaping: value)
        append("\"")
      case .flag(let name, true):
        append(" ")
        append(name)
      case .flag(_, false): break
      }
    }
    append(">")
  }

  private mutating func close(_ name: StaticString) {
    append("</")
    append(name)
    append(">")
  }

  private mutating func append(_ text: StaticString) { bytes.append(text) }

  private mutating func append(escaping text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      case 0x09, 0x0A, 0x20...: bytes.append(byte)
      default: bytes += "\u{FFFD}".utf8
      }
    }
  }
}

extension HTML.Attribute {
  package static func `class`(_ names: String) -> Self { .text("class", names) }
  package static func id(_ name: String) -> Self { .text("id", name) }
  package static func href(_ link: PageLink) -> Self { .text("href", link.text) }
  /// A place on this page.
  package static func anchor(_ name: StaticString) -> Self { .text("href", "#\(name)") }
}
