import Foundation
import TestSupport
import Testing

@testable import WebMarkup

@Suite(.enabled(if: StructuredDataOracle.isHere, "needs ../shared/data/structured-data and zstd"))
struct StructuredDataTests {
  private typealias Oracle = StructuredDataOracle

  private struct Sample {
    let name: String
    let page: WebPage
    let html: String
    let oracle: [String: Any]
  }

  private static func page(_ bytes: [UInt8], at url: String, type: String? = nil) -> WebPage {
    var source = PageSource(name: "oracle", bytes: bytes)
    source.urls = [("base", url)]
    if let type { source.headers = [("content-type", type)] }
    return WebPage(source)
  }

  /// The pages that Readability is tested with; they are kept in UTF-8 whatever they declare.
  private static func readabilityPages() throws -> [Sample] {
    let data = try SharedData.data("\(Oracle.folder)/readability-pages.extruct.json.zst")
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "pages-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let archive = SharedData.folder.appending(path: "\(Oracle.folder)/readability-pages.tar.zst")
      .path
    try #require(Program.output(of: ["tar", "--zstd", "-xf", archive, "-C", folder.path]) != nil)
    return try all.sorted { $0.key < $1.key }.map { name, oracle in
      let bytes = Array(try Data(contentsOf: folder.appending(path: "\(name).html")))
      return Sample(
        name: name,
        page: page(bytes, at: "http://fakehost/test/page.html", type: "text/html; charset=utf-8"),
        html: String(decoding: bytes, as: UTF8.self), oracle: oracle)
    }
  }

  @Test func `titles, canonical URLs, languages and Open Graph of all pages`() throws {
    for sample in try Self.readabilityPages() {
      let head = try #require(sample.oracle["head"] as? [String: Any])
      let title = (head["title"] as? String ?? "").split(whereSeparator: \.isWhitespace).joined(
        separator: " ")
      if !title.isEmpty { #expect(sample.page.title == title, "\(sample.name)") }
      // The URL Standard resolves what the page writes without its scheme.
      let canonical = (head["canonical"] as? [String])?.first.flatMap {
        WebURL($0, base: WebURL("http://fakehost/test/page.html"))
      }
      #expect(sample.page.canonical == canonical?.description, "\(sample.name)")
      if let language = (head["lang"] as? [String])?.first {
        #expect(sample.page.language == language, "\(sample.name)")
      }
      let groups = sample.oracle["opengraph"] as? [[String: Any]] ?? []
      let expected = groups.flatMap { $0["properties"] as? [[String]] ?? [] }
      guard !expected.isEmpty else { continue }
      let prefixes = Set(expected.compactMap { $0.first?.split(separator: ":").first })
      let found = sample.page.openGraph.filter {
        prefixes.contains($0.property.prefix { $0 != ":" })
      }
      #expect(found.map { [$0.property, $0.content] } == expected, "\(sample.name)")
      let meta = (head["description"] as? [String])?.first { !$0.allSatisfy(\.isWhitespace) }
      let description =
        expected.first { $0[0] == "og:description" && !$0[1].allSatisfy(\.isWhitespace) }?[1]
        ?? meta
      let collapsed = description?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if collapsed != nil { #expect(sample.page.description == collapsed, "\(sample.name)") }
    }
  }

  private static let topLevel =
    "HTML 5.2.2: an item is top-level when its element has no itemprop attribute"

  /// Rows that differ from the oracle by a rule of the standard for which no value tells.
  private static let structural = [
    "msn": topLevel, "#eg-0427": topLevel, "#eg-0429": topLevel,
    "#eg-0234": "HTML 5.2.5: an element that itemref names and the item holds counts once",
    "#eg-0238": "HTML 5.2.2: any element with itemscope is an item, a head too",
    "schema.org/SearchAction.001.html": "HTML 5.2.4: the value of an input element is its text",
  ]

  @Test func `microdata is the oracle's, or the standard's where they differ`() throws {
    var (count, unexplained): (Int, [String]) = (0, [])
    for sample in try Self.readabilityPages() + Self.examples("microdata") + Self.samples() {
      guard let expected = sample.oracle["microdata"] as? [Any] else { continue }
      let found = try #require(try foundation(sample.page.microdata) as? [Any]).map(Oracle.shape)
      let wanted = expected.map { Oracle.plain($0) }
      count += max(wanted.count, found.count)
      // HTML 13.2.6.4.6: a body start tag makes the body with its attributes; the oracle's
      // parser made it before, and lost them.
      if sample.html.hasPrefix("<body item") || Self.structural[sample.name] != nil { continue }
      for index in 0..<max(wanted.count, found.count) {
        let a = index < wanted.count ? wanted[index] : nil
        let b = index < found.count ? found[index] : nil
        let open = Oracle.differences(a, b).filter {
          Oracle.sentence($0.path, $0.expected, $0.found, sample.html) == nil
        }
        if let first = open.first {
          unexplained.append(
            "\(sample.name)[\(index)]\(first.path): \(String(describing: first.expected).prefix(200)) / \(String(describing: first.found).prefix(200))"
          )
        }
      }
    }
    #expect(count > 150)
    #expect(unexplained.count * 50 <= count, "\(unexplained.joined(separator: "\n"))")
  }

  @Test func `JSON-LD is the oracle's`() throws {
    var (count, differing): (Int, [String]) = (0, [])
    for sample in try Self.readabilityPages() + Self.examples("json-ld") + Self.samples() {
      let oracle = sample.oracle["json-ld_cdata_stripped"] ?? sample.oracle["json-ld"]
      guard let expected = oracle as? [NSObject] else { continue }
      let found = try sample.page.jsonLD.flatMap { try $0.data.elements.map(foundation) }
      count += max(expected.count, found.count)
      if expected != found { differing.append(sample.name) }
    }
    #expect(count > 250)
    #expect(differing.isEmpty, "\(differing)")
  }

  @Test func `the scripts of W3C's tests are found as the algorithm finds them`() throws {
    let folder = "\(Oracle.folder)/json-ld-api/tests"
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: SharedData.data("\(folder)/html-manifest.jsonld"))
        as? [String: Any])
    for test in try #require(manifest["sequence"] as? [[String: Any]]) {
      guard let input = test["input"] as? String, let file = input.split(separator: "#").first
      else { continue }
      let bytes = Array(try SharedData.data("\(folder)/\(file)"))
      let page = Self.page(bytes, at: "https://w3c.github.io/json-ld-api/tests/\(file)")
      let name = test["@id"] as? String ?? ""
      switch test["expectErrorCode"] as? String {
      case "invalid script element":
        // The algorithm refuses; a page reads on, and says so.
        #expect(page.malformed.contains { $0.kind == .json }, "\(name)")
      case "loading document failed":
        let target = input.split(separator: "#").dropFirst().first
        #expect(
          target.map { target in !page.jsonLD.contains { $0.id == String(target) } }
            ?? page.jsonLD.isEmpty, "\(name)")
      default:
        let isEmpty = name.hasSuffix("07") || name.hasSuffix("r006")
        #expect(page.jsonLD.isEmpty == isEmpty, "\(name)")
        #expect(page.malformed.isEmpty, "\(name)")
        if let target = input.split(separator: "#").dropFirst().first {
          #expect(page.jsonLD.contains { $0.id == String(target) }, "\(name)")
        }
      }
    }
  }

  @Test func `association files of real sites`() throws {
    for (file, url, opens) in [
      ("19lmyers__tasks.chara.dev", "https://tasks.chara.dev/x", true),
      ("4what__4what.github.com", "https://4what.github.com/", true),
      ("97longphan__appclip-aasa", "https://h/clip/1", true),
      ("97longphan__appclip-aasa", "https://h/clip", false),
      ("AS207960__as207960.net", "https://as207960.net/", false),
    ] {
      let association = try AppSiteAssociation(
        Array(try SharedData.data("\(Oracle.folder)/aasa/\(file).json")))
      #expect(association.verdict(try #require(WebURL(url))).opensApp == opens, "\(file)")
    }
  }

  private static func examples(_ syntax: String) throws -> [Sample] {
    let data = try SharedData.data("\(Oracle.folder)/schemaorg-30.0-examples.jsonl.zst")
    return try data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      guard let example = row[syntax] as? [String: Any], let html = example["html"] as? String,
        let oracle = example["extruct"]
      else { return nil }
      return Sample(
        name: row["id"] as? String ?? "",
        page: page(Array(html.utf8), at: "http://www.example.com/index.html"),
        html: html, oracle: [syntax: oracle])
    }
  }

  private static func samples() throws -> [Sample] {
    let root = SharedData.folder.appending(path: "\(Oracle.folder)/extruct-samples")
    let paths =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".html") }.sorted().map { path in
      let bytes = Array(try Data(contentsOf: root.appending(path: path)))
      let oracle = try JSONSerialization.jsonObject(
        with: Data(contentsOf: root.appending(path: path + ".extruct.json")))
      return Sample(
        name: path, page: page(bytes, at: "http://www.example.com/index.html"),
        html: String(decoding: bytes, as: UTF8.self), oracle: try #require(oracle as? [String: Any])
      )
    }
  }
}
