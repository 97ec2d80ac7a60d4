import Foundation
import Testing

/// Times as people write and read them, on the command line.
@Suite struct TimeCommandTests {
  private static func run(_ store: Store, _ zone: String, _ arguments: String...) throws
    -> ProcessResult
  {
    try Shell.run(
      Store.binary, arguments + ["--store", store.path], environment: ["TZ": zone])
  }

  @Test func `a day is the day of the local zone, and --utc that of UTC`() throws {
    let store = Store()
    // Still the 19th in New York, the 20th in UTC and in Tokyo.
    _ = try Self.run(store, "UTC0", "view", "a", "--time", "2026-11-20T02:00:00Z")
    func counts(_ zone: String, _ more: String...) throws -> [Int] {
      try ["2026-11-19", "2026-11-20"].map { day in
        let arguments = ["log", "--since", day, "--until", day, "--json", "--store", store.path]
        return try Shell.run(Store.binary, arguments + more, environment: ["TZ": zone]).objects()
          .count
      }
    }
    #expect(try counts("America/New_York") == [1, 0])
    #expect(try counts("Asia/Tokyo") == [0, 1])
    #expect(try counts("America/New_York", "--utc") == [0, 1])
  }

  @Test func `times are shown in the local zone with its offset, and in UTC as JSON`() throws {
    let store = Store()
    _ = try Self.run(store, "UTC0", "view", "a", "--time", "2026-11-20T02:00:00Z")
    let tokyo = try Self.run(store, "Asia/Tokyo", "log").text
    #expect(tokyo.contains("2026-11-20 11:00+09:00"))
    #expect(try Self.run(store, "Asia/Tokyo", "log", "--utc").text.contains("2026-11-20 02:00Z"))
    let json = try Self.run(store, "Asia/Tokyo", "log", "--json").text
    #expect(json.contains("\"2026-11-20T02:00:00Z\""))
  }

  @Test func `an hour that a clock shows twice begins with the first and ends with the second`()
    throws
  {
    let store = Store()
    for time in ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"] {
      _ = try Self.run(store, "UTC0", "view", "a", "--time", time)
    }
    func count(_ words: String...) throws -> Int {
      let line = ["log", "--json", "--store", store.path] + words
      return try Shell.run(Store.binary, line, environment: ["TZ": "Europe/Berlin"]).objects().count
    }
    #expect(try count("--since", "2026-10-25T02:00") == 2)
    #expect(try count("--since", "2026-10-25T02:30") == 2)
    #expect(try count("--until", "2026-10-25T02:30") == 2)
    #expect(try count("--since", "2026-10-25T03:00") == 0)
    #expect(try count("--since", "2026-10-25", "--until", "2026-10-25") == 2)
    // Clocks left 02:30 out on that day: it was 03:30.
    let skipped = try Self.run(store, "Europe/Berlin", "view", "b", "--time", "2026-03-29T02:30")
    #expect(skipped.status == 0)
    let shown = try Self.run(store, "Europe/Berlin", "log", "b", "--json").text
    #expect(shown.contains("2026-03-29T01:30:00Z"), "\(shown)")
  }

  @Test func `an hour of which a clock shows half twice ends with its second half`() throws {
    let store = Store()
    for time in ["1987-03-14T14:10:00Z", "1987-03-14T15:10:00Z", "1987-03-14T15:30:00Z"] {
      _ = try Self.run(store, "UTC0", "view", "a", "--time", time)
    }
    // Clocks went back by 30 minutes there.
    let hour = ["--since", "1987-03-15T01", "--until", "1987-03-15T01"]
    let found = try Shell.run(
      Store.binary, ["log", "--json", "--store", store.path] + hour,
      environment: ["TZ": "Australia/Lord_Howe"])
    #expect(try found.objects().count == 2)
  }

  @Test func `a zone that is none is said once, and a span that ends first is refused`() throws {
    let store = try Store(running: [["view", "a", "--title", "A"]])
    for zone in ["Nowhere/City", "/etc/passwd", ":/no/such/file-1"] {
      let unknown = try Self.run(store, zone, "log")
      #expect(unknown.status == 0)
      let name = zone.drop { $0 == ":" }
      #expect(
        unknown.errors.split(separator: "\n") == [
          "cairn: TZ names no zone of this machine (\(name)): times are in UTC"
        ])
    }
    for zone in [
      "UTC0", "Europe/Berlin", "EST5EDT", "UTC", "<+03>-3", ":Asia/Tokyo",
      "/usr/share/zoneinfo/Asia/Tokyo",
    ] {
      #expect(try Self.run(store, zone, "log").errors == "", "\(zone)")
    }
    let span = try store.run("log", "--since", "2026-02", "--until", "2026-01")
    #expect(span.status == 64 && span.errors.contains("--since is after --until"))
    #expect(try store.run("log", "--since", "2026-01-05", "--until", "2026-01-05").status == 0)
    let early = try store.run("top", "--now", "2020-01-01")
    #expect(early.status == 64 && early.errors.contains("--now lies"), "\(early.errors)")
  }

  /// Clocks that go on from midnight, the first of a month among them, and from a minute after.
  @Test(arguments: [
    ("America/Sao_Paulo", "day", ["2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z"]),
    ("America/Asuncion", "month", ["2023-10-01T03:59:59Z", "2023-10-15T12:00:00Z"]),
    ("America/St_Johns", "hour", ["2011-03-13T03:30:30Z", "2011-03-13T03:31:30Z"]),
  ]) func `a bucket begins where the clock goes on, and is named after that`(
    zone: String, unit: String, times: [String]
  ) throws {
    let store = Store()
    for time in times { _ = try Self.run(store, zone, "view", "a", "--time", time) }
    let lines = try Self.run(store, zone, "timeline", "--by", unit).text.split(separator: "\n")
    let names = [
      "day": ["2018-11-03", "2018-11-04"], "month": ["2023-09-01", "2023-10-01"],
      "hour": ["2011-03-13 00", "2011-03-13 01"],
    ]
    #expect(lines.count == 2)
    for (line, name) in zip(lines, names[unit] ?? []) {
      #expect(line.hasPrefix(name + "  "), "\(line)")
    }
  }

  @Test(
    .enabled(if: LogReader.isPresent, "needs python3"),
    arguments: [
      ("America/New_York", "day", ">2026-11-19</a>", "from=2026-11-19T05%3A00%3A00Z"),
      ("Asia/Kolkata", "hour", ">2026-11-20 07:00</a>", "to=2026-11-20T02%3A30%3A00Z"),
      ("Europe/Berlin", "month", ">2026-11</a>", "from=2026-10-31T23%3A00%3A00Z"),
    ])
  func `the page of the timeline has the days of the local zone, as the command has`(
    zone: String, unit: String, name: String, span: String
  ) throws {
    let store = Store()
    _ = try Self.run(store, "UTC0", "view", "a", "--time", "2026-11-20T02:00:00Z")
    let script = """
      import http.client, json, subprocess, sys
      binary, store, query = sys.argv[1:]
      line = [binary, "serve", "--store", store, "--listen", "127.0.0.1:0", "--json"]
      server = subprocess.Popen(line, stdout=subprocess.PIPE)
      try:
          address = json.loads(server.stdout.readline())["listening"][0]
          token = open(store + "/serve.token").read().strip()
          client = http.client.HTTPConnection(address.removeprefix("http://"))
          client.request("GET", query, headers={"Authorization": "Bearer " + token})
          print(client.getresponse().read().decode())
      finally:
          server.terminate()
          server.wait()
      """
    let line = ["-c", script, Store.binary, store.path, "/timeline?by=\(unit)"]
    let page = try Shell.run("python3", line, environment: ["TZ": zone])
    #expect(page.text.contains(name) && page.text.contains(span), "\(page.text)\(page.errors)")
  }

  @Test func `bars are of signs that the locale has`() throws {
    let store = try Store(running: [["view", "a", "--title", "A"]])
    let signs = [("C", "#"), ("de_DE.ISO-8859-1", "#"), ("C.UTF-8", "▇"), ("x.utf8", "▇")]
    for (locale, sign) in signs {
      let line = ["timeline", "--store", store.path]
      let shown = try Shell.run(Store.binary, line, environment: ["LC_ALL": locale]).text
      #expect(shown.hasSuffix(String(repeating: sign, count: 8) + "\n"), "\(locale): \(shown)")
    }
  }

  @Test func `milliseconds are refused by name wherever a time is typed`() throws {
    let store = Store()
    #expect(try store.run("view", "a", "--title", "a").status == 0)
    let number = "1763881200000"
    for line in [
      ["purge", "--before", number, "--yes"], ["view", "b", "--time", number],
      ["log", "--since", number], ["log", "--until", number], ["top", "--now", number],
      ["search", "a", "--now", number], ["index", "c", "--expires", number],
    ] {
      let result = try store.run(line)
      #expect(result.status == 64, "\(line)")
      #expect(result.errors.contains("write seconds: 1763881200"), "\(result.errors)")
      #expect(result.errors.contains("see: cairn help times"), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try store.headNow() == 1)
  }

  @Test func `points are sequences, the head, times and snapshots`() throws {
    let store = Store()
    for name in ["a", "b", "c"] { #expect(try store.run("index", name).status == 0) }
    func items(_ point: String) throws -> [String] {
      try store.json(["items", "--as-of", point], as: ItemRow.self).map(\.item)
    }
    #expect(try items("head~1") == ["a", "b"])
    #expect(try items("now") == ["a", "b", "c"])
    #expect(try items("today") == ["a", "b", "c"])
    #expect(try items("2 days ago") == [])
    #expect(try items("-90d") == [])
    #expect(try store.run("snapshot", "create", "yesterday").status == 64)
    let seconds = try store.run("items", "--as-of", "1763881200")
    #expect(seconds.status == 1)
    #expect(seconds.errors.hasSuffix("for the time write 2025-11-23T07:00:00Z\n"))
    #expect(try !store.run("items", "--as-of", "99999").errors.contains("for the time"))
    let year = try store.run("items", "--as-of", "2026")
    #expect(year.errors.contains("for the time write 2026-01 or 2026-12\n"), "\(year.errors)")
    #expect(try !store.run("items", "--as-of", "20th").errors.contains("for the time"))
    let unknown = try store.run("items", "--as-of", "yesterdya")
    #expect(unknown.status == 1)
    #expect(
      unknown.errors
        == "cairn: --as-of: neither a sequence, a time nor the name of a snapshot; "
        + "see: cairn help points\n")
    let queries = try store.run(
      "search", "--queries", "-", "--json",
      input: Data(#"{"query":"a","asOf":"head~2","now":"yesterday"}"#.utf8))
    #expect(queries.status == 0, "\(queries.errors)")
  }

  @Test func `an item that expires in 30 days is still there`() throws {
    let store = Store()
    #expect(try store.run("index", "a", "--title", "a", "--expires", "30d").status == 0)
    #expect(try store.json(["items"], as: ItemRow.self).count == 1)
  }
}
