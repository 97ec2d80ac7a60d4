import Foundation
import Testing

@testable import WebMarkup

/// A page of these bytes at a URL.
func page(_ html: String, at url: String? = "https://www.example.org/a/b?c=1#d") -> WebPage {
  var source = PageSource(name: "test", bytes: Array(html.utf8))
  if let url { source.urls = [("base", url)] }
  return WebPage(source)
}

/// JSON by Foundation, to compare with another reader's.
func foundation(_ json: JSON) throws -> NSObject {
  let data = Data(json.bytes)
  return try #require(
    try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? NSObject)
}

extension HTMLTree {
  /// The tree as nested tags, texts in quotes.
  func outline(_ node: HTMLNodeID = 0) -> String {
    var result = ""
    if let contents = contents[node] { result += "content(" + outline(contents) + ")" }
    var child = self[node].first
    while child >= 0 {
      if !result.isEmpty, !result.hasSuffix("(") { result += " " }
      switch self[child].kind {
      case .element:
        let inner = outline(child)
        result += name(child) + (inner.isEmpty ? "" : "(\(inner))")
      case .text:
        var text = self.text(self[child].start, self[child].count)
        while self[child].next >= 0, self[self[child].next].kind == .text {
          child = self[child].next
          text += self.text(self[child].start, self[child].count)
        }
        result += "'\(text)'"
      case .comment: result += "<!--" + text(self[child].start, self[child].count) + "-->"
      default: result += "!"
      }
      child = self[child].next
    }
    return result
  }
}
