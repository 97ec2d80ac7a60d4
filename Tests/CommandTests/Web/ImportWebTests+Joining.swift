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

  @Test func `a purge of the app's domain takes what was seen while there was but the page`() throws
  {
    let store = Store()
    let link = "<meta name=apple-itunes-app content='app-id=1, app-argument=app://x/5'>"
    let folder = try folder([("a.html", "<title>Page</title>" + link)])
    let base = "https://www.a.example/"
    _ = try imported(store, folder, "--base", base)
    for event in [
      #"{"kind":"view","item":"app://x/5","attributes":{"title":"Seen","contentDescription":"quince"}}"#,
      #"{"kind":"view","item":"app://x/5"}"#,
      #"{"kind":"view","item":"app://x/5","domain":"web.example.a.www"}"#,
      #"{"kind":"index","item":"app://x/5","domain":"com.app","attributes":{"title":"App"}}"#,
    ] { try store.append(Data(event.utf8)) }
    _ = try imported(store, folder, "--base", base)
    #expect(try shown(store, "app://x/5").sources?.map(\.kind) == ["app", "activity", "web"])
    #expect(try store.run("purge", "--domain", "com.app", "--yes").status == 0)
    // A visit that names the page's domain itself is not the app's.
    #expect(try store.json(["items"], as: Shown.self).isEmpty)
    let left = try store.run("export").text.split(separator: "\n")
    #expect(left.filter { $0.contains("app://x/5") }.count == 1, "\(left)")
    try expectNothing(of: ["quince"], in: store)
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

  /// Takes in pages as they are at first and later, and gives the titles of the items.
  private func titles(_ first: [String: String], _ later: [String: String]) throws -> [String?] {
    let store = Store()
    let folder = try folder(first.map { ($0.key, $0.value) })
    let base = "https://www.a.example/"
    _ = try imported(store, folder, "--base", base)
    for (name, text) in later { try write(text, folder + "/" + name) }
    _ = try imported(store, folder, "--base", base)
    let again = try imported(store, folder, "--base", base)
    #expect(again["accepted"] == 0, "\(again)")
    try checkRebuilt(store)
    return try store.json(["items"], as: Shown.self).map(\.title).sorted { $0 ?? "" < $1 ?? "" }
  }

  @Test func `a page that has become a copy is one with the page that it is a copy of`() throws {
    let copy = "<title>Old</title><link rel=canonical href=b.html>"
    let old = "<title>Old</title>"
    let new = "<title>New</title>"
    #expect(try titles(["a.html": old, "b.html": new], ["a.html": copy]) == ["New"])
    // The page that it is a copy of comes later, too.
    #expect(try titles(["a.html": old], ["a.html": copy, "b.html": new]) == ["New"])
  }

  @Test func `a page that gives up its link to another one stays an item`() throws {
    let link = "<meta property=al:ios:url content='app://x/1'>"
    let found = try titles(
      ["b.html": "<title>B</title>\(link)"],
      ["a.html": "<title>A</title>\(link)", "b.html": "<title>B</title>"])
    #expect(found == ["A", "B"])
  }

  @Test func `what a copy told of first stays when the copy goes`() throws {
    let store = Store()
    let copy = try folder([("z.html", "<title>A</title><link rel=canonical href=a.html>")])
    let base = "https://www.a.example/"
    _ = try imported(store, copy, "--base", base)
    try write("<title>A</title><link rel=canonical href=a.html>", copy + "/a.html")
    try write("HTTP/1.1 404 Not Found\n", copy + "/z.html.headers")
    for _ in 0..<2 { #expect(try imported(store, copy, "--base", base)["accepted"] == 0) }
    #expect(try shown(store, base + "a.html").title == "A")
    try write("HTTP/1.1 404 Not Found\n", copy + "/a.html.headers")
    #expect(try imported(store, copy, "--base", base)["deleted"] == 1)
  }

  @Test func `a page whose canonical URL is a third one is no copy of itself`() throws {
    let store = Store()
    let folder = try folder([
      ("a.html", "<title>A</title><link rel=canonical href=b.html>"),
      ("b.html", "<title>B</title><link rel=canonical href=z.html>"),
      ("c.html", "<title>C</title><link rel=canonical href=z.html>"),
    ])
    for accepted in [2, 0, 0] {
      let counts = try imported(store, folder, "--base", "https://c.example/")
      #expect(counts["accepted"] == accepted, "\(counts)")
      let items = try store.json(["items"], as: Shown.self)
      #expect(items.map(\.item) == ["https://c.example/b.html", "https://c.example/z.html"])
      #expect(items.compactMap(\.title) == ["A", "B"])
    }
  }
}
