import Foundation
import TestSupport
import Testing

@testable import WebMarkup

/// What extruct and the origins of the pages say of real pages; read where the data is at hand.
enum StructuredDataOracle {
  static let folder = "structured-data"
  static let isHere = SharedData.has(folder)

  /// Microdata in extruct's shape from HTML's: a list of one is its element, white space collapsed.
  static func shape(_ item: Any) -> Any {
    guard let item = item as? [String: Any] else { return collapsed(item) }
    var result: [String: Any] = [:]
    if let types = item["type"] as? [String] {
      result["type"] = types.count == 1 ? types[0] : types.sorted() as Any
    }
    if let id = item["id"] { result["id"] = id }
    var properties: [String: Any] = [:]
    for (name, values) in item["properties"] as? [String: [Any]] ?? [:] {
      let shaped = values.map(shape)
      properties[name] = shaped.count == 1 ? shaped[0] : shaped
    }
    if !properties.isEmpty { result["properties"] = properties }
    return result
  }

  /// The oracle's own item without the text that it adds to items.
  static func plain(_ item: Any, isItem: Bool = true) -> Any {
    if let list = item as? [Any] { return list.map { plain($0) } }
    guard let members = item as? [String: Any] else { return collapsed(item) }
    guard isItem else { return members.mapValues { plain($0) } }
    var result: [String: Any] = [:]
    for (key, value) in members where key != "value" {
      if key == "properties" {
        let properties = plain(value, isItem: false)
        if (properties as? [String: Any])?.isEmpty == false { result[key] = properties }
      } else if key == "type", let types = value as? [String] {
        result[key] = types.sorted()
      } else {
        result[key] = value
      }
    }
    return result
  }

  private static func collapsed(_ value: Any) -> Any {
    (value as? String).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      ?? value
  }

  /// The values in which two items differ, by path.
  static func differences(_ a: Any?, _ b: Any?, _ path: String = "") -> [(
    path: String, expected: Any?, found: Any?
  )] {
    if let a = a as? [String: Any], let b = b as? [String: Any] {
      return Set(a.keys).union(b.keys).sorted().flatMap {
        differences(a[$0], b[$0], "\(path)/\($0)")
      }
    }
    if let a = a as? [Any], let b = b as? [Any], a.count == b.count {
      return zip(a, b).enumerated().flatMap { differences($1.0, $1.1, "\(path)/\($0)") }
    }
    if let a = a as? NSObject, let b = b as? NSObject, a == b { return [] }
    return a == nil && b == nil ? [] : [(path, a, b)]
  }

  private static func unspaced(_ text: some StringProtocol) -> String {
    String(text.filter { !$0.isWhitespace })
  }

  /// What stands in the elements of a name, without white space.
  private static func texts(of name: String, _ html: String) -> [String] {
    html.split(separator: "<\(name)").dropFirst().compactMap { rest in
      guard let start = rest.firstIndex(of: ">"), let end = rest.firstRange(of: "</\(name)>")
      else { return nil }
      return unspaced(rest[rest.index(after: start)..<end.lowerBound])
    }
  }

  /// A text without these, each as often as it is named.
  private static func without(_ parts: [String], _ text: String) -> String {
    var text = text
    for part in parts where !part.isEmpty {
      if let range = text.firstRange(of: part) { text.removeSubrange(range) }
    }
    return text
  }

  /// The sentence of a standard by which a value differs from the oracle's; nil for none.
  static func sentence(_ path: String, _ expected: Any?, _ found: Any?, _ html: String) -> String? {
    let expected = expected as? String
    let found = found as? String
    if path.hasSuffix("/id"), expected == nil, html.contains("itemid=\"\"") {
      return "HTML 5.2.3: an empty itemid, too, is parsed relative to the element's document"
    }
    if expected == "http://www.example.com/index.html", found == "" {
      return "HTML 5.2.4: without its attribute a URL property is the empty string"
    }
    if path.hasSuffix("/id"), let expected,
      WebURL(expected, base: WebURL("http://www.example.com/index.html"))?.description == found
    {
      return "HTML 5.2.3: the itemid is parsed relative to the element's document"
    }
    if let expected, let found, WebURL(expected)?.description == found {
      return "URL 4.5: an empty path of an http URL is written as /"
    }
    if expected == "", let found, texts(of: "time", html).contains(unspaced(found)) {
      return "HTML 5.2.4: the datetime value of a time without the attribute is its text"
    }
    if let expected, let found {
      let (a, b) = (unspaced(expected), unspaced(found))
      if a == b { return "DOM: textContent has the texts alone, and no white space between blocks" }
      if without(texts(of: "script", html) + texts(of: "style", html), b) == a {
        return "DOM: textContent has the texts of script and style elements too"
      }
      if html.contains("content=\"\(expected)\"") {
        return "HTML 5.2.4: content gives the value of a meta element alone"
      }
    }
    return nil
  }
}
