import Cairn
import CairnServer
import Foundation
import Testing

/// Pages: what a browser without scripts gets.
@Suite struct PagesTests {
  private static let hostile = "<script>alert(1)</script> \"quoted\" 'single' \u{202E}turned & more"

  private func server() throws -> TestServer {
    try TestServer { _ in
    } filledBy: { store in
      var events: [Event] = []
      for number in 1...30 {
        events.append(
          Event(
            kind: .index, item: "page \(number)", domain: .value("web.org.example"),
            time: Timestamp(seconds: 1_700_000_000 + Int64(number) * 3_600),
            attributes: ["title": .string("lighthouse \(number)")]))
      }
      events.append(
        Event(
          kind: .index, item: "javascript:alert(2)", domain: .value("odd"),
          attributes: [
            "title": .string(Self.hostile), "note": .string("javascript:alert(3)"),
            "contentURL": .string("https://example.org/a?b=1&c=2"),
          ]))
      events.append(Event(kind: .view, item: "page 7", time: Timestamp(seconds: 1_700_500_000)))
      try store.appendBlocking(events)
    }
  }

  @Test(arguments: [
    "/", "/?q=lighthouse", "/?q=lighthouse&asOf=3", "/item?id=page%207", "/timeline",
    "/timeline?from=2023-11-14&to=2023-11-15", "/domains", "/domains?parent=web", "/diff?from=1",
    "/live", "/settings", "/help", "/forget?domain=web.org.example",
  ])
  func `every page is whole, small and guarded`(path: String) throws {
    let server = try server()
    let answer = try server.ask("GET", path)
    #expect(answer.status == 200)
    #expect(answer.body.count < 150_000)
    let policy = try #require(answer["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(answer["cache-control"] == "no-store")
    let page = answer.text
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">") && page.hasSuffix("</html>"))
    // Nothing that the policy forbids, and one heading of the first rank at most.
    #expect(!page.contains(" style=") && !page.contains(" onclick="))
    #expect(page.components(separatedBy: "<h1").count <= 2)
  }

  @Test func `the trail to a domain of very many parts stays small`() throws {
    let deep = (0..<1_000).map(String.init).joined(separator: ".")
    let page = try server().ask("GET", "/domains?parent=\(deep)")
    #expect(page.status == 200 && page.body.count < 150_000)
    #expect(page.text.contains("parent=\(deep)\"") && !page.text.contains("parent=0.1\""))
    let near = try server().ask("GET", "/domains?parent=web.org.example").text
    for path in ["web", "web.org", "web.org.example"] {
      #expect(near.contains("href=\"/domains?parent=\(path)\""))
    }
  }

  @Test(arguments: ["a\nb", "c\rd", "e\r\nf", "g\u{0}h\u{1B}i", "j\tk%0Al"])
  func `what a form would change on its way is forgotten and seen in the past`(id: String) throws {
    let server = try TestServer { _ in
    } filledBy: { store in
      try store.appendBlocking([
        Event(kind: .index, item: id), Event(kind: .view, item: id),
        Event(kind: .index, item: "other", domain: .value("of \(id)")),
      ])
    }
    let encoded = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let past = try sent(by: server.ask("GET", "/item?id=\(encoded)").text, to: "/item")
    let shown = try server.ask("GET", "/item?asOf=1&" + past)
    #expect(shown.status == 200 && shown.text.contains("after event 1 of 3"))
    for asked in ["item=\(encoded)", "domain=of%20\(encoded)"] {
      let plan = try server.ask("GET", "/forget?" + asked).text
      #expect(plan.contains(asked.hasPrefix("item") ? ">Forget 2 events<" : ">Forget 1 event<"))
      let form = try sent(by: plan, to: "/forget") + "&name=forget"
      let receipt = try #require(try server.post(form, to: "/forget")["location"])
      for _ in 0..<600 where try !server.ask("GET", receipt).text.contains("class=\"receipt\"") {
        usleep(20_000)
      }
    }
    #expect(try server.ask("GET", "/api/v1/item?id=\(encoded)").status == 404)
  }

  /// What a browser sends of the hidden fields of the first form of a page that leads there.
  private func sent(by page: String, to path: String) throws -> String {
    let start = try #require(page.range(of: "action=\"\(path)\""))
    let form = page[start.upperBound...].components(separatedBy: "</form>")[0]
    return form.components(separatedBy: "type=\"hidden\" name=\"").dropFirst().map { field in
      let parts = field.components(separatedBy: "\"")
      // Line breaks are normalized, as HTML wants it.
      let value = parts[2].replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        .replacing("\n", with: "\r\n")
      return "\(parts[0])="
        + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }.joined(separator: "&")
  }

  @Test func `the last month there is has a span, too`() throws {
    let server = try TestServer { _ in
    } filledBy: { store in
      try store.appendBlocking([Event(kind: .view, item: "a", time: .latest)])
    }
    let link = "from=9999-12-01T00%3A00%3A00Z&amp;to=9999-12-31T23%3A59%3A59"
    #expect(try server.ask("GET", "/timeline").text.contains(link))
  }

  @Test func `stored text is text`() throws {
    let server = try server()
    for path in ["/?q=quoted", "/item?id=javascript%3Aalert%282%29", "/live", "/diff?from=0"] {
      let page = try server.ask("GET", path).text
      #expect(!page.contains("<script>") && !page.contains("href=\"javascript:"))
    }
    let item = try server.ask("GET", "/item?id=javascript%3Aalert%282%29").text
    #expect(item.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(item.contains("href=\"https://example.org/a?b=1&amp;c=2\""))
  }

  @Test(
    arguments: [
      ("GET", "/nowhere", 404, "There is nothing here", nil),
      ("GET", "/nowhere/else?q=secret", 404, "There is nothing here", nil),
      ("GET", "/item?id=secret", 404, "There is nothing here", nil),
      ("GET", "/api/v1/secret", 404, "There is nothing here", nil),
      ("GET", "/timeline?asOf=99999", 404, "There is no such point", nil),
      ("GET", "/?unknown=1", 400, "This cannot be shown", nil),
      ("POST", "/timeline", 405, "This page takes no such request", nil),
      ("GET", "/api/v1/info", 401, "Log in first", ["Authorization": ""]),
      ("GET", "/", 400, "This name does not lead here", ["Host": "secret.example"]),
      (
        "GET", "/api/v1/info", 403, "Another site sent you here",
        ["Origin": "https://secret.example"]
      ),
      ("POST", "/login", 415, "This cannot be shown", ["Content-Length": "1"]),
      (
        "POST", "/login", 413, "That is too much",
        [
          "Content-Length": "99999999", "Content-Type": "application/x-www-form-urlencoded",
        ]
      ),
    ] as [(String, String, Int, String, [String: String]?)])
  func `a browser gets a refusal as a page, a program as JSON`(
    method: String, path: String, status: Int, title: String, headers: [String: String]?
  ) throws {
    let server = try server()
    let accept = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
    let all = (headers ?? [:]).merging(accept) { $1 }
    let answer = try server.ask(method, path, headers: all)
    #expect(answer.status == status)
    #expect(answer["content-type"] == "text/html; charset=utf-8")
    #expect(answer["content-security-policy"] != nil && answer["x-request-id"] != nil)
    let page = answer.text
    #expect(page.contains(title) && page.contains("<a href") && !page.contains("secret"))
    let told = try server.ask(method, path, headers: headers ?? [:])
    #expect(told.status == status)
    #expect(try server.code(told) != nil)
  }

  @Test func `an item and changes are shown though old versions are not kept`() throws {
    let server = try TestServer(filledBy: { store in
      var events = ["first", "second"].map { title in
        Event(kind: .index, item: "kept", attributes: ["title": .string(title)])
      }
      events.append(Event(kind: .view, item: "kept"))
      let old = Timestamp(seconds: Timestamp.now().seconds - 10 * 86_400)
      for index in events.indices { events[index].recorded = old }
      try store.appendBlocking(events)
      try store.appendBlocking([Event(kind: .index, item: "kept", attributes: ["title": "third"])])
      try store.addRetentionRule(.init(keeping: .versions(days: 5)))
      try store.applyVersionRetention()
    })
    let page = try server.ask("GET", "/item?id=kept")
    #expect(page.status == 200)
    #expect((1...4).allSatisfy { page.text.contains("id=\"e\($0)\"") })
    #expect(page.text.contains("second"))
    #expect(try server.ask("GET", "/diff").status == 200)
    let gone = try server.ask("GET", "/?asOf=1", headers: ["Accept": "text/html"])
    #expect(gone.status == 404 && gone.text.contains("old versions are kept from event 3 on"))
    for (query, place) in [
      ("items?asOf=1", "asOf"), ("diff?from=1", "from"), ("diff?from=4&to=1", "to"),
      ("diff?from=99", "from"), ("diff?from=1&to=99", "to"),
    ] { #expect(try server.place(server.ask("GET", "/api/v1/" + query)) == place, "\(query)") }
  }

  @Test func `a day before the first event is told as such`() throws {
    let server = try server()
    #expect(try server.ask("GET", "/?day=2020-01-01")["location"] == "/?asOf=0")
    let page = try server.ask("GET", "/?asOf=0").text
    #expect(page.contains("before its first event") && page.contains("Nothing had been used yet"))
    #expect(!page.contains("years ago"))
  }

  @Test func `a point in words leads to its sequence, and the present has none`() throws {
    let server = try server()
    let now = try server.ask("GET", "/?q=lighthouse&asOf=head~2")
    #expect(now.status == 302)
    #expect(now["location"] == "/?q=lighthouse&asOf=30")
    let present = try server.ask("GET", "/?asOf=32&q=a")
    #expect(present["location"] == "/?q=a")
    let past = try server.ask("GET", "/?q=lighthouse&asOf=3").text
    #expect(past.contains("This is the past.") && past.contains("Results 1 to 3"))
    #expect(try server.ask("GET", "/?asOf=99999").status == 404)
  }

  @Test func `a browser is let in by its token, and out again`() throws {
    let server = try server()
    let none = ["Authorization": ""]
    let refused = try server.ask("GET", "/item?id=a%20b", headers: none)
    #expect(refused.status == 303)
    #expect(refused["location"] == "/login?next=%2Fitem%3Fid%3Da%2520b")
    let own = ["Authorization": "", "Origin": "null", "Sec-Fetch-Site": "same-origin"]
    let wrong = try server.post("token=x", to: "/login", headers: own)
    #expect(wrong.status == 401)
    for next in ["//evil.example", "https://evil.example", "/\\evil", "%2F%2Fevil.example", ""] {
      let answer = try server.post(
        "token=\(server.token)&next=\(next)", to: "/login", headers: own)
      #expect(answer.status == 303 && answer["location"] == "/")
    }
    let answer = try server.post(
      "token=+\(server.token)%0A&next=%2Flive", to: "/login", headers: own)
    #expect(answer["location"] == "/live")
    let cookie = try #require(answer["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(!cookie.contains(server.token))
    let value = String(cookie.prefix { $0 != ";" })
    let inside = ["Authorization": "", "Cookie": value, "Sec-Fetch-Site": "same-origin"]
    #expect(try server.ask("GET", "/live", headers: inside).status == 200)
    let elsewhere = ["Authorization": "", "Cookie": value, "Sec-Fetch-Site": "same-site"]
    #expect(try server.ask("GET", "/live", headers: elsewhere).status == 303)
    for origin in ["http://evil.example", "null"] {
      let foreign = ["Authorization": "", "Cookie": value, "Origin": origin]
      #expect(try server.post("domain=odd", to: "/forget", headers: foreign).status == 403)
    }
  }

  @Test func `a page of the present alone shows no way to another point`() throws {
    let server = try server()
    let rule = "field=title&match=x&action=drop&do=preview"
    for page in [
      try server.ask("GET", "/forget?domain=odd"),
      try server.post("domain=odd&name=even", to: "/forget"),
      try server.post(rule, to: "/settings/rules"),
    ] {
      #expect(page.status == 200)
      #expect(!page.text.contains("Travel in time"))
    }
    #expect(try server.ask("GET", "/settings").text.contains("Travel in time"))
  }

  @Test func `forgetting takes what was shown, after its name was typed`() throws {
    let server = try server()
    let plan = try server.ask("GET", "/forget?domain=odd").text
    let mark = try #require(plan.range(of: "name=\"digest\" value=\""))
    let digest = String(plan[mark.upperBound...].prefix { $0 != "\"" })
    let wrong = try server.post("domain=odd&digest=\(digest)&name=even", to: "/forget")
    #expect(wrong.status == 200 && wrong.text.contains("Nothing was forgotten"))
    let stale = try server.post("domain=odd&digest=x&name=odd", to: "/forget")
    #expect(stale.text.contains("Something came in meanwhile"))
    #expect(try server.server.store.at().item("javascript:alert(2)") != nil)
    let done = try server.post("domain=odd&digest=\(digest)&name=odd", to: "/forget")
    #expect(done.status == 303)
    let place = try #require(done["location"])
    #expect(place.hasPrefix("/forgotten?job="))
    var page = ""
    for _ in 0..<600 {
      page = try server.ask("GET", place).text
      if page.contains("class=\"receipt\"") { break }
      usleep(20_000)
    }
    #expect(page.contains("receipt"))
    #expect(try server.server.store.at().item("javascript:alert(2)") == nil)
  }

  @Test(arguments: [
    ("since=2023-11-20T00:00:00Z&until=2023-11-21T00:00:00Z", 1),
    ("since=2023-11-14T00:00:00Z&until=2023-11-15T23:59:59Z&domain=web", 25),
    ("mentioning=LIGHTHOUSE+7", 1), ("since=2023-11-14T00:00:00Z&item=page+7", 2),
    ("mentioning=+lighthouse++7%0A", 1), ("domain=web&item=page+7", 2),
  ])
  func `a span and a text are forgotten as a domain is`(query: String, count: Int)
    throws
  {
    let server = try server()
    let plan = try server.ask("GET", "/forget?" + query).text
    #expect(plan.contains("To confirm, type <bdi class=\"id\">forget</bdi>"))
    #expect(plan.contains(count == 1 ? ">Forget 1 event<" : ">Forget \(count) events<"))
    #expect(!plan.contains("never take it in again"))
    let sent = try ["since", "until", "domain", "item", "mentioning", "digest"].compactMap { name in
      guard let mark = plan.range(of: "name=\"\(name)\" value=\"") else { return nil as String? }
      let value = String(plan[mark.upperBound...].prefix { $0 != "\"" })
      return "\(name)="
        + (try #require(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))
    }
    let form = sent.joined(separator: "&") + "&name=forget"
    let before = try server.server.store.statistics().eventCount
    let done = try server.post(form, to: "/forget")
    #expect(done.status == 303)
    let place = try #require(done["location"])
    for _ in 0..<600 where try !server.ask("GET", place).text.contains("class=\"receipt\"") {
      usleep(20_000)
    }
    // One event records the purge.
    #expect(try server.server.store.statistics().eventCount == before - count + 1)
  }

  @Test func `what reads every event may take as long as it likes`() throws {
    let routes = try server().server.service.router.routes.filter { $0.pattern == "/forget" }
    #expect(routes.map(\.lane) == [.stream, .stream])
  }

  @Test func `a part of the timeline leads to forgetting it, all of it and the past do not`() throws
  {
    let server = try server()
    let span = "/timeline?from=2023-11-14T23:00:00Z&to=2023-11-15T00:00:00Z&domain=web"
    let link =
      "href=\"/forget?since=2023-11-14T23%3A00%3A00Z&amp;until=2023-11-14T23%3A59%3A59.999999999Z"
      + "&amp;domain=web\""
    #expect(try server.ask("GET", span).text.contains(link))
    #expect(try !server.ask("GET", span + "&asOf=3").text.contains("/forget?"))
    #expect(try !server.ask("GET", "/timeline").text.contains("/forget?"))
    #expect(try server.ask("GET", "/domains").text.contains("name=\"mentioning\""))
    for query in ["domain=", "mentioning=+"] {
      let nothing = try server.ask("GET", "/forget?\(query)", headers: ["Accept": "text/html"])
      #expect(nothing.status == 400 && !nothing.text.contains(".."))
    }
    let unread = "since=then&until=2023-11-15T00:00:00Z&name=forget"
    #expect(try server.post(unread, to: "/forget").status == 400)
  }

  @Test(arguments: [("make  all\ntest", "forget"), ("make all test", "make all test")])
  func `what nobody can type as it is shown is forgotten by a word`(item: String, typed: String)
    throws
  {
    let server = try TestServer(filledBy: { store in
      try store.appendBlocking([Event(kind: .view, item: item)])
    })
    let id = item.replacing(" ", with: "%20").replacing("\n", with: "%0A")
    let plan = try server.ask("GET", "/forget?item=\(id)").text
    #expect(plan.contains("To confirm, type <bdi class=\"id\">\(typed)</bdi>"))
    let mark = try #require(plan.range(of: "name=\"digest\" value=\""))
    let digest = plan[mark.upperBound...].prefix { $0 != "\"" }
    let name = typed.replacing(" ", with: "%20")
    let done = try server.post("item=\(id)&digest=\(digest)&name=\(name)", to: "/forget")
    #expect(done.status == 303)
  }

  @Test func `what a plan leaves elsewhere is told before anything is forgotten`() throws {
    let server = try server()
    let backup = server.directory + "-backup"
    defer { try? FileManager.default.removeItem(atPath: backup) }
    _ = try server.server.store.backUp(into: backup)
    let consumer = try server.ask("PUT", "/api/v1/consumers/c", body: #"{"domain":["odd"]}"#)
    #expect(consumer.status == 201)
    let told = ["Backups and copies that still hold some", "consumers that name it"]
    let plan = try server.ask("GET", "/forget?domain=odd").text
    for words in told { #expect(plan.contains(words), "\(words)") }
    let event = #"{"kind":"view","item":"late","domain":"later"}"#
    #expect(try server.ask("POST", "/api/v1/events", body: event).status == 200)
    let later = try server.ask("GET", "/forget?domain=later").text
    #expect(later.contains("To confirm"))
    for words in told { #expect(!later.contains(words), "\(words)") }
  }

  @Test func `an item is named by what can be seen, and a long name is cut`() throws {
    let long = String(repeating: "W", count: 600)
    let server = try TestServer(filledBy: { store in
      var events = ["   \u{200B}\u{202E} ", "", long].enumerated().map { number, title in
        Event(
          kind: .index, item: "named \(number)", attributes: ["title": .string(title)])
      }
      events += events.map { Event(kind: .view, item: $0.item) }
      try store.appendBlocking(events)
    })
    let used = try server.ask("GET", "/").text
    #expect(used.contains("<bdi>named 0</bdi>") && used.contains("<bdi>named 1</bdi>"))
    #expect(!used.contains(long) && used.contains("WWW\u{2026}"))
    #expect(try server.ask("GET", "/item?id=named%200").text.contains("<h1><bdi>named 0</bdi>"))
    // The whole is on the item's page.
    #expect(try server.ask("GET", "/item?id=named%202").text.contains(long))
    // A tab cannot set a text apart from the words around it.
    #expect(try server.ask("GET", "/?q=a%E2%80%AEb").text.contains("<title>ab \u{2013} Cairn<"))
  }

  @Test func `a search that finds nothing says so in its own words, and leads on`() throws {
    let server = try server()
    func page(_ query: String) throws -> String { try server.ask("GET", "/?q=" + query).text }
    #expect(try page("zzzz").contains("Nothing has this word"))
    // What is used most is not shown as if it were of that time.
    #expect(try page("&since=2026").contains("Nothing was viewed then"))
    #expect(try page("&kind=public.html").contains("What shall be found?"))
    let all = try page("zzzz+qqqq&domain=web")
    #expect(all.contains("Nothing that fits has all of these words"))
    #expect(try page("lighthouse&domain=nope").contains("Nothing that fits has this word"))
    #expect(try page("&domain=nope").contains("Nothing has been used in this domain yet"))
    #expect(all.contains("href=\"/?q=zzzz%20qqqq&amp;domain=web&amp;match=any\""))
    #expect(all.contains("href=\"/?q=zzzz%20qqqq\""))
    let any = try page("zzzz+qqqq&match=any&asOf=3")
    #expect(any.contains("Nothing has any of these words") && any.contains("Search the present"))
    #expect(try page("zzzz+qqqq&match=phrase").contains("one after the other"))
    let bare = try TestServer()
    for path in ["/", "/?q=a", "/timeline", "/domains", "/diff"] {
      #expect(try bare.ask("GET", path).text.contains("cairn import auto"))
    }
  }

  @Test func `what was used in a span is found, whatever its attributes say`() throws {
    let server = try server()
    func items(_ query: String) throws -> [String] {
      let page = try server.ask("GET", "/?since=2023-11-20&until=2023-11-21" + query).text
      return (1...30).map { "lighthouse \($0)" }.filter { page.contains("<bdi>\($0)</bdi>") }
    }
    // Without words too: what was viewed then.
    #expect(try items("") == ["lighthouse 7"])
    let words = try server.ask("GET", "/?q=light&since=2023-11-20&until=2023-11-21").text
    #expect(words.contains("1 result<") && words.contains("id=page%207"))
    #expect(words.contains("/api/v1/search?since=2023-11-20&amp;until=2023-11-21&amp;q=light"))
    let rows = try server.rows(from: "/api/v1/search?q=light&since=2023-11-20&until=2023-11-21")
    #expect(rows.map { $0["item"] as? String } == ["page 7"])
    let queries = try server.ask(
      "POST", "/api/v1/search",
      body: #"{"queries":[{"query":"light","until":"2023-11-21","since":"2023-11-20"}]}"#)
    #expect(queries.text.contains("page 7") && !queries.text.contains("page 8"))
    let reversed = try server.ask("GET", "/api/v1/search?q=light&since=2024&until=2023")
    #expect(reversed.status == 400)
  }

  @Test func `what cannot be searched for stays in its form`() throws {
    let server = try server()
    let answer = try server.ask("GET", "/?q=light&since=junk", headers: ["Accept": "text/html"])
    #expect(answer.status == 400)
    let page = answer.text
    #expect(page.contains("id=\"results\"") && page.contains("Used or changed since: no time"))
    #expect(page.contains("value=\"light\"") && page.contains("value=\"junk\""))
  }

  @Test func `an item has a page before its first event, and a score after each of its events`()
    throws
  {
    let server = try server()
    let before = try server.ask("GET", "/item?id=page%207&asOf=3")
    #expect(before.status == 404)
    #expect(before.text.contains("nothing of it yet") && before.text.contains("id=\"asof\""))
    let view = Event(kind: .view, item: "page 8", dwell: 95)
    try server.server.store.appendBlocking([view, Event(kind: .view, item: "page 8")])
    let page = try server.ask("GET", "/item?id=page%208").text
    #expect(page.contains("for 1 minute "))
    #expect(page.components(separatedBy: " score ").count == 3)
  }

  @Test(arguments: [
    ("/?domain=odd", "/api/v1/top?domain=odd&amp;limit=20"),
    (
      "/?q=light&domain=web&match=any&sort=recent&offset=1",
      "/api/v1/search?q=light&amp;domain=web&amp;match=any&amp;sort=recent&amp;offset=1&amp;limit=20"
    ),
    ("/diff?from=1&domain=odd", "/api/v1/diff?from=1&amp;to=32&amp;domain=odd&amp;limit=50"),
  ])
  func `a page links to the JSON of just what it shows`(page: String, json: String) throws {
    let server = try server()
    #expect(try server.ask("GET", page).text.contains("href=\"\(json)\""))
    let answer = try server.ask("GET", json.replacing("&amp;", with: "&"))
    #expect(answer.status == 200)
  }

  @Test func `the JSON of the timeline is the span shown, by the days of the page`() throws {
    let server = try server()
    let page = "/timeline?from=2023-11-15T00:00:00Z&to=2023-11-16T00:00:00Z&by=hour&domain=web"
    let link =
      "/api/v1/timeline?by=hour&local=true&domain=web&since=2023-11-15T00%3A00%3A00Z"
      + "&until=2023-11-15T23%3A59%3A59.999999999Z"
    let shown = try server.ask("GET", page).text
    #expect(shown.contains("href=\"\(link.replacing("&", with: "&amp;"))\""))
    let rows = try server.rows(from: link).map { $0["start"] as? String ?? "" }
    // Where clocks stand half an hour apart one more reaches in.
    #expect((24...25).contains(rows.count))
    #expect(rows.allSatisfy { ("2023-11-14T23"..<"2023-11-16").contains($0) })
    #expect(try server.ask("GET", "/api/v1/openapi.json").text.contains("rows that end after it"))
    #expect(try server.rows(from: "/api/v1/timeline?by=hour").count > 24)
    #expect(try server.ask("GET", "/api/v1/timeline?since=2024&until=2023").status == 400)
  }

  @Test func `a history of many years begins with its first, by years`() throws {
    let server = try TestServer(filledBy: { store in
      let events = try (0..<160).map { month in
        let text = "\(2000 + month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)-15T12:00:00Z"
        let time = try #require(Timestamp(rfc3339: text))
        return Event(kind: .view, item: "m", time: time)
      }
      try store.appendBlocking(events)
    })
    let page = try server.ask("GET", "/timeline").text
    #expect(page.contains("Events by year") && page.contains("all of it, by year"))
    let later = try server.ask("GET", "/timeline?from=2012-06-01T00:00:00Z").text
    #expect(later.contains("since 2012-06-01, by month") && !later.contains("2012-05"))
    let earlier = try server.ask("GET", "/timeline?to=2001-01-01T00:00:00Z").text
    #expect(earlier.contains("until 2000-12-31, by month") && !earlier.contains("2001-02"))
    #expect(page.contains(">2000</a>") && page.contains(">2013</a>"))
    #expect(page.contains("2001-01-01T00") && !page.contains(">2000-01</a>"))
    let year = try server.ask("GET", "/timeline?from=2000-01-01T00:00:00Z&to=2001-01-01T00:00:00Z")
    #expect(year.text.contains("Events by week"))
  }

  @Test func `a full hour leads to its minutes`() throws {
    let server = try TestServer(filledBy: { store in
      let hour: Int64 = 1_699_999_200
      try store.appendBlocking(
        (0..<120).map { number in
          let time = Timestamp(seconds: hour + Int64(number) * 30)
          return Event(kind: .view, item: "item \(number).", time: time)
        })
    })
    let hour = "/timeline?from=2023-11-14T22:00:00Z&to=2023-11-14T23:00:00Z"
    let page = try server.ask("GET", hour).text
    #expect(page.contains("item 99.") && !page.contains("item 100."))
    #expect(page.contains(">22:55</a>") && page.contains("from=2023-11-14T22%3A55%3A00Z"))
    let last = "/timeline?from=2023-11-14T22:55:00Z&to=2023-11-14T23:00:00Z"
    let part = try server.ask("GET", last).text
    #expect(part.contains("item 110.") && part.contains("item 119.") && !part.contains("item 109."))
    #expect(!part.contains("Parts of it"))
  }

  @Test(arguments: ["/?q=light", "/live", "/diff?from=1&to=20"])
  func `a form of a page in the past stays there`(page: String) throws {
    let server = try server()
    let past = page + (page.contains("?") ? "&asOf=30" : "?asOf=30")
    let text = try server.ask("GET", past).text
    #expect(text.contains("type=\"hidden\" name=\"asOf\" value=\"30\""))
  }

  @Test func `the point before the first event has no time`() throws {
    let server = try server()
    for point in ["0", "2000-01-01"] {
      let page = try server.ask("GET", "/diff?from=\(point)").text
      #expect(page.contains("#0, before the first event") && !page.contains("1970"))
    }
  }

  @Test func `a point of which nothing is left has no time`() throws {
    let server = try server()
    _ = try server.server.store.purge(.item("page 1"))
    for (path, words) in [
      ("/diff?from=1", "#1, before the first event"), ("/?asOf=1", "before its first event"),
    ] {
      let page = try server.ask("GET", path).text
      #expect(page.contains(words) && !page.contains("1970"))
    }
  }

  @Test func `an hour has the events of its last second, and none of the next`() throws {
    let server = try TestServer(filledBy: { store in
      let end = Timestamp(seconds: 1_700_002_800)
      let last = Timestamp(seconds: 1_700_002_799, nanoseconds: 999_999_999)
      try store.appendBlocking([
        Event(kind: .view, item: "in the last second", time: last),
        Event(kind: .view, item: "in the next hour", time: end),
      ])
    })
    let span = "from=2023-11-14T22:00:00Z&to=2023-11-14T23:00:00Z"
    let page = try server.ask("GET", "/timeline?\(span)").text
    #expect(page.contains("in the last second") && !page.contains("in the next hour"))
    let part = "from=2023-11-14T22:00:00Z&to=2023-11-14T22:05:00Z"
    #expect(try server.ask("GET", "/timeline?\(part)").text.contains("Nothing happened here"))
  }

  @Test func `an event of the live page can be taken from it`() throws {
    let server = try server()
    let page = try server.ask("GET", "/live").text
    #expect(page.contains("<tr data-sequence=\"32\">"))
  }

  @Test func `the live page leads to the events for which it has no room`() throws {
    let short = try server().ask("GET", "/live").text
    #expect(short.contains("id=\"earlier\" class=\"more\" hidden href"))
    let server = try TestServer(filledBy: { store in
      try store.appendBlocking((1...110).map { Event(kind: .view, item: "item \($0).") })
    })
    var (page, seen) = ("/live?kind=view", 0)
    for last in [60, 10] {
      let text = try server.ask("GET", page).text
      seen += text.components(separatedBy: "data-sequence=").count - 1
      page = "/live?kind=view&asOf=\(last)"
      #expect(text.contains("href=\"\(page.replacing("&", with: "&amp;"))\">Earlier events"))
    }
    let first = try server.ask("GET", page).text
    #expect(seen == 100 && first.components(separatedBy: "data-sequence=").count == 11)
  }

  @Test func `the live page is filtered by its address, with the events of an item's domain`()
    throws
  {
    let server = try server()
    func rows(_ query: String) throws -> [Int] {
      let page = try server.ask("GET", "/live?\(query)").text
      return (29...32).filter { page.contains("<tr data-sequence=\"\($0)\">") }
    }
    #expect(try rows("kind=&domain=") == [29, 30, 31, 32])
    #expect(try rows("kind=view") == [32])
    // The view names no domain of its own.
    #expect(try rows("domain=web") == [29, 30, 32])
    #expect(try rows("kind=index&domain=odd") == [31])
    let page = try server.ask("GET", "/live?kind=index&domain=odd").text
    #expect(page.contains("value=\"odd\"") && page.contains("kind=index&amp;domain=odd"))
    #expect(try server.ask("GET", "/live?kind=nothing").status == 400)
  }

  @Test func `the files of pages are named by what is in them`() throws {
    let server = try server()
    let page = try server.ask("GET", "/?q=a").text
    let paths = page.components(separatedBy: "\"").filter { $0.hasPrefix("/assets/") }
    #expect(paths.count >= 4)
    for path in paths {
      let answer = try server.ask("GET", path, headers: ["Authorization": ""])
      #expect(answer.status == 200)
      #expect(answer["cache-control"]?.contains("immutable") == true)
    }
    #expect(try server.ask("GET", "/assets/0/app.js").status == 404)
  }
}
