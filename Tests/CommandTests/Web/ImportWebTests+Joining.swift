import Foundation
import Testing

/// Which item a page belongs to, where several could be it.
extension ImportWebTests {
  @Test func `items whose names are spellings of one letter have each their page`() throws {
    let store = Store()
    let folder = try folder([("1.html", "<title>One</title>"), ("2.html", "<title>Two</title>")])
    let base = "https://www.a.example/"
    let names = ["caf\u{E9}", "cafe\u{301}"]
    for (number, name) in names.enumerated() {
      try store.append(
        Data(
          #"{"kind":"index","item":"\#(name)","attributes":{"webpageURL":"\#(base)\#(number + 1).html"}}"#
            .utf8))
    }
    #expect(try imported(store, folder, "--base", base)["indexed"] == 2)
    #expect(try imported(store, folder, "--base", base)["unchanged"] == 2)
    for (number, name) in names.enumerated() {
      #expect(try shown(store, name).sources?.last?.url == "\(base)\(number + 1).html")
    }
  }

  @Test func `a page leaves a part of an item for the whole once, and stays there`() throws {
    let store = Store()
    let base = "https://www.a.example/"
    let folder = try folder([
      ("a.html", "<title>A</title><link rel=canonical href='/c.html'>"),
      ("c.html", "<title>C</title>"),
    ])
    for (kind, item, place, related) in [
      ("view", "2", "x", "a.html"), ("index", "\(base)x", "y", "c.html"),
    ] {
      let attributes = [
        "title": "T", "contentURL": base + place, "relatedUniqueIdentifier": base + related,
      ]
      let event: [String: Any] = ["kind": kind, "item": item, "attributes": attributes]
      try store.append(try JSONSerialization.data(withJSONObject: event))
    }
    for _ in 1...3 { _ = try imported(store, folder, "--base", base) }
    #expect(try imported(store, folder, "--base", base)["accepted"] == 0)
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["\(base)x"])
  }
}
