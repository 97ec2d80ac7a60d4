import Foundation
import Testing

/// The examples, run as a person does.
@Suite(.enabled(if: SourceProgram.products != nil, "needs the products of the build"))
struct ExampleTests {
  private let store = FileManager.default.temporaryDirectory.path + "/cairn-ex-\(UUID().uuidString)"

  private func run(_ program: String, _ arguments: String...) throws -> String {
    let products = try #require(SourceProgram.products)
    let ran = try SourceProgram.run(
      products.appending(path: program).path, arguments, environment: ["CAIRN_STORE": store])
    #expect(ran.status == 0)
    return ran.output
  }

  private func cleanUp() { try? FileManager.default.removeItem(atPath: store) }

  @Test func `the employee directory finds by every field and lands on the record`() throws {
    defer { cleanUp() }
    for text in ["chiara", "pilots senior", "tides", "chiara@harbour.example", "0103"] {
      #expect(try run("EmployeeDirectory", "search", text).hasPrefix("Chiara Lund"), "\(text)")
    }
    #expect(try run("EmployeeDirectory", "open", "radar").contains("Pilots"))
  }

  @Test func `25 a result that was chosen is first in the next search`() throws {
    defer { cleanUp() }
    let before = try run("EmployeeDirectory", "search", "law").split(separator: "\n")
    let last = try #require(before.last)
    let id = last.hasPrefix("Freya") ? "e06" : "e05"
    _ = try run("EmployeeDirectory", "browse", id)
    #expect(try run("EmployeeDirectory", "search", "law").hasPrefix(String(last)))
  }

  @Test func `the employee directory keeps to its three policies`() throws {
    defer { cleanUp() }
    #expect(try run("EmployeeDirectory", "search", "radar").split(separator: "\n").count == 2)
    #expect(try run("EmployeeDirectory", "policy", "disabled") == "policy: disabled\n")
    #expect(try run("EmployeeDirectory", "search", "radar") == "")
    _ = try run("EmployeeDirectory", "browse", "e03")
    #expect(try run("EmployeeDirectory", "search", "radar") == "")
    _ = try run("EmployeeDirectory", "policy", "viewedRecords")
    _ = try run("EmployeeDirectory", "browse", "e03")
    #expect(try run("EmployeeDirectory", "search", "radar") == "Chiara Lund\n")
    let landed = "Chiara Lund | Pilots | Senior pilot | +49 40 555 0103\n"
    #expect(try run("EmployeeDirectory", "open", "radar") == landed)
    _ = try run("EmployeeDirectory", "policy", "allRecords")
    #expect(try run("EmployeeDirectory", "search", "customs").split(separator: "\n").count == 2)
  }

  @Test func `the film list indexes once, finds and lands`() throws {
    defer { cleanUp() }
    #expect(try run("FilmList", "open", "com.example.films.1").hasPrefix("indexed 5 films\nNight"))
    #expect(
      try run("FilmList", "find", #"keywords == "sea"c && rating >= 4"#)
        == "com.example.films.0 The Last Lightship 4.5\ncom.example.films.2 Salt and Rope 4\n")
    #expect(try run("FilmList", "find", "title =").contains("byte"))
    #expect(try run("FilmList", "open", "com.example.films.9") == "not a film\n")
  }

  @Test func `a recipe of the app, of an activity and of the site is one result`() throws {
    defer { cleanUp() }
    let products = try #require(SourceProgram.products)
    let site = store + "-site"
    try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: site) }
    for (name, rating) in [("lemon-soup", 4.5), ("plum-cake", 3.0)] {
      let page = """
        <title>\(name) | The site</title>
        <meta property="al:ios:url" content="recipebox://recipe/\(name)">
        <script type="application/ld+json">{"@context": "https://schema.org", "@type": "Recipe",
        "name": "\(name)", "recipeInstructions": "Peel and stir.", "aggregateRating":
        {"@type": "AggregateRating", "ratingValue": \(rating), "ratingCount": 8}}</script>
        """
      try page.write(toFile: "\(site)/\(name).html", atomically: true, encoding: .utf8)
    }
    _ = try run("RecipeBox", "index")
    _ = try run("RecipeBox", "read", "recipebox://recipe/lemon-soup")
    let imported = try SourceProgram.run(
      products.appending(path: "cairn").path,
      ["import", "web", site, "--base", "https://recipes.example/", "--store", store],
      environment: [:])
    #expect(imported.status == 0, "\(imported.output)")
    // The app's title, the site's rating; what only the site has is found as well.
    #expect(
      try run("RecipeBox", "find", "rating >= 1") == """
        recipebox://recipe/lemon-soup | Lemon soup | 4.5
        recipebox://recipe/plum-cake | plum-cake | The site | 3

        """)
    #expect(try run("RecipeBox", "find", #"keywords == "soup" && rating > 4"#).contains("lemon"))
    #expect(try run("RecipeBox", "open", "recipebox://recipe/plum-cake") == "recipe plum-cake\n")
  }

  @Test func `the command shows a recipe, its activity and its page as one`() throws {
    defer { cleanUp() }
    let program = try #require(SourceProgram.products).appending(path: "cairn").path
    func cairn(_ words: String...) throws -> String {
      try SourceProgram.run(program, words + ["--store", store], environment: [:]).output
    }
    let soup = "recipebox://recipe/lemon-soup"
    _ = try run("RecipeBox", "index")
    for _ in 0..<2 { _ = try run("RecipeBox", "read", soup) }
    func check(_ sources: [String]) throws {
      for words in ["lemon", "reading"] {
        let hits = try cairn("search", words, "--json", "--explain").split(separator: "\n")
        #expect(hits.count == 1 && hits.first?.contains(#""item":"\#(soup)""#) == true, "\(hits)")
        for source in sources { #expect(hits.first?.contains(source) == true, "\(hits)") }
      }
      #expect(try cairn("items", "--json").split(separator: "\n").count == 2)
      #expect(try cairn("top", "--json").split(separator: "\n").count == 1)
      let shown = try cairn("show", soup, "--json")
      for source in sources { #expect(shown.contains(source), "\(shown)") }
      #expect(shown.contains(#""title":"Lemon soup""#) && shown.contains(#""views":2"#))
    }
    let own = [#"{"kind":"app""#, #"{"kind":"activity","source":"org.example.recipebox.read""#]
    try check(own)
    let page = store + "-page.html"
    try
      "<title>Soup</title><meta property=al:ios:url content=\(soup)><script type=application/ld+json>{\"@type\":\"Recipe\",\"recipeYield\":4}</script>"
      .write(toFile: page, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: page) }
    let address = "https://recipes.example/soup"
    _ = try run("RecipeBox", "visit", address)
    #expect(try cairn("import", "web", page, "--base", address).contains("1 indexed"))
    // The visit to the page has become a part, too, and is a view of the soup.
    let all = try cairn("show", soup, "--json")
    #expect(all.contains(#""views":3"#) && all.contains(#""web_recipeYield":"4""#), "\(all)")
    #expect(try cairn("items", "--json").split(separator: "\n").count == 2)
    #expect(try cairn("top", "--json").split(separator: "\n").count == 1)
    #expect(try cairn("import", "web", page, "--base", address).contains("1 unchanged"))
    _ = try run("RecipeBox", "read", soup)
    #expect(try cairn("import", "web", page, "--base", address).contains("1 unchanged"))
    for kind in ["app", "activity", "web"] { #expect(all.contains(#"{"kind":"\#(kind)""#)) }
    #expect(try run("RecipeBox", "find", "title == \"*\"").split(separator: "\n").count == 2)
    #expect(try cairn("verify", "--deep", "--json").contains(#""ok":true"#))
    _ = try cairn("purge", "--domain", "recipes", "--yes")
    #expect(try cairn("items", "--json") == "")
    let left = try cairn("log", "--json")
    #expect(!left.contains("recipe"), "\(left)")
  }

  @Test func `a page that an activity names by its address is one result with it`() throws {
    defer { cleanUp() }
    let products = try #require(SourceProgram.products)
    let page = store + "-page.html"
    try
      "<title>Notes</title><script type=application/ld+json>{\"aggregateRating\":{\"ratingValue\":4}}</script>"
      .write(toFile: page, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: page) }
    _ = try run("RecipeBox", "visit", "https://recipes.example/notes?a=1")
    let imported = try SourceProgram.run(
      products.appending(path: "cairn").path,
      ["import", "web", page, "--base", "https://recipes.example/notes?a=1", "--store", store],
      environment: [:])
    #expect(imported.status == 0, "\(imported.output)")
    let found = try run("RecipeBox", "find", "rating >= 1")
    #expect(found.hasSuffix(" | A page of the site | 4\n"), "\(found)")
    #expect(try run("RecipeBox", "find", "title == \"*\"") == found)
  }

  @Test func `the friends list forgets one, then all`() throws {
    defer { cleanUp() }
    #expect(try run("FriendsList", "list").split(separator: "\n").count == 3)
    #expect(try run("FriendsList", "search", "quay") == "1 Jonas Weber\n")
    _ = try run("FriendsList", "forget", "1")
    #expect(try run("FriendsList", "search", "quay") == "")
    #expect(try run("FriendsList", "search", "violin") == "2 Mirela Popescu\n")
    _ = try run("FriendsList", "forget")
    #expect(try run("FriendsList", "search", "violin") == "")
  }
}
