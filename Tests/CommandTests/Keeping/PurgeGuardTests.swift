import Foundation
import Testing

/// What makes somebody think twice before history goes, by a purge or by rules.
@Suite struct PurgeGuardTests {
  private static func store(_ days: [Int]) throws -> Store {
    let store = Store()
    var text = ""
    for (index, day) in days.enumerated() {
      let time = ISO8601DateFormatter().string(
        from: Date(timeIntervalSinceNow: -86_400 * Double(day)))
      text += "{\"kind\":\"index\",\"item\":\"i\(index)\",\"domain\":\"work.mail\","
      text += "\"attributes\":{\"title\":\"T\"},\"time\":\"\(time)\",\"actor\":\"mara\"}\n"
    }
    try #require(store.run("append", input: Data(text.utf8)).status == 0)
    return store
  }

  @Test func `a past time that takes most of the store is asked for by name`() throws {
    let store = try Self.store([9, 8, 7, 1])
    let plan = try store.run("purge", "--before", "5 days ago", "--dry-run")
    #expect(plan.status == 0 && plan.errors.contains("--all-of-it"), "\(plan.errors)")
    let refused = try store.run("purge", "--before", "5 days ago", "--yes")
    #expect(refused.status == 64 && refused.errors.contains("--all-of-it"))
    #expect(try store.headNow() == 4)
    let few = try store.run("purge", "--before", "9 days ago", "--dry-run")
    #expect(few.errors.isEmpty, "\(few.errors)")
    #expect(
      try store.run("purge", "--before", "20 days ago", "--dry-run").text == "nothing to purge\n")
    let named = try store.run("purge", "--domain", "work", "--dry-run")
    #expect(named.errors.isEmpty, "\(named.errors)")
    #expect(
      try store.run("purge", "--before", "5 days ago", "--yes", "--all-of-it").status == 0)
  }

  @Test func `a rule of nothing is refused, and a rule says what it would take`() throws {
    let store = try Self.store([9, 8, 7, 1])
    for line in [["--days", "0"], ["--events", "0"]] {
      let refused = try store.run(["retention", "add"] + line)
      #expect(refused.status == 64, "\(refused.errors)")
    }
    let added = try store.run("retention", "add", "--days", "5")
    #expect(added.errors.contains("3 events would go"), "\(added.errors)")
    let again = try store.run("retention", "add", "--days", "5", "--json")
    #expect(again.status == 0 && again.errors.contains("rule 1 says just that"))
    #expect(try store.run("retention", "list", "--json").objects().count == 1)
    let stray = try store.run("retention", "add", "--domain", "nosuch", "--days", "5")
    #expect(stray.errors.contains("no item is in the domain 'nosuch'"), "\(stray.errors)")
  }

  @Test func `rules that take most of the store are asked for once`() throws {
    let store = try Self.store([9, 8, 7, 1])
    #expect(try store.run("retention", "add", "--days", "5").status == 0)
    #expect(try store.run("retention", "apply", "--dry-run").errors.contains("--all-of-it"))
    let refused = try store.run("retention", "apply", "--yes")
    #expect(refused.status == 64 && refused.errors.contains("--all-of-it"))
    #expect(try store.run("retention", "apply", "--yes", "--all-of-it").status == 0)
    // The timer goes on, whatever comes.
    let old = Data(
      (0..<9).map {
        "{\"kind\":\"view\",\"item\":\"i3\",\"time\":\"2020-01-0\($0 + 1)T00:00:00Z\"}\n"
      }
      .joined().utf8)
    #expect(try store.run("append", input: old).status == 0)
    #expect(try store.run("retention", "apply", "--yes").status == 0)
    #expect(try store.run("append", input: old).status == 0)
    #expect(try store.run("retention", "add", "--kind", "view", "--days", "3").status == 0)
    #expect(try store.run("retention", "apply", "--yes").status == 64)
  }

  @Test func `a plan counts the items in use that it would take`() throws {
    let store = try Self.store([9, 8, 1])
    #expect(try store.run("view", "i0").status == 0)
    #expect(try store.run("view", "i2").status == 0)
    #expect(try store.run("retention", "add", "--days", "5").status == 0)
    let plan = try store.run("retention", "apply", "--dry-run", "--json").objects().first
    #expect(plan?["vanishing"] as? Int == 1)
    let said = try store.run("retention", "apply", "--dry-run").text
    #expect(said.contains("1 item still used would vanish"), "\(said)")
    let whole = try store.run("purge", "--item", "i0", "--dry-run", "--json").objects().first
    #expect(whole?["vanishing"] == nil)
  }

  @Test(arguments: [
    (["--domain", "work.*"], "--domain 'work'"), (["--domain", "WORK"], "--domain 'work'"),
    (["--domain", " work.mail"], "--domain 'work.mail'"), (["--actor", "MARA"], "--actor 'mara'"),
    (["--actor", "mara "], "--actor 'mara'"),
  ]) func `a name in another case is offered`(condition: [String], offer: String) throws {
    let store = try Self.store([3])
    let plan = try store.run(["purge", "--dry-run"] + condition)
    #expect(plan.status == 0 && plan.errors.contains("did you mean \(offer)?"), "\(plan.errors)")
    for exact in [["--domain", "work"], ["--actor", "mara"]] {
      #expect(try store.run(["purge", "--dry-run"] + exact).errors.contains("did you") == false)
    }
  }

  @Test func `a span that ends before it begins is refused`() throws {
    let store = try Self.store([3])
    for end in ["--before", "--until"] {
      let refused = try store.run("purge", end, "2020", "--since", "2021", "--dry-run")
      #expect(refused.status == 64 && refused.errors.contains("--since is after \(end)"))
    }
  }

  @Test func `a receipt that cannot be had says how to get that of the last purge`() throws {
    let store = try Self.store([3, 2, 1])
    let path = Scratch.path("receipt")
    let none = try store.run("purge", "--item", "x", "--yes", "--receipt", path)
    #expect(none.errors.contains("nothing was purged, so no receipt"), "\(none.errors)")
    #expect(try store.run("purge", "--item", "i0", "--yes").status == 0)
    let late = try store.run("purge", "--item", "i0", "--yes", "--receipt", path)
    #expect(late.errors.contains("cairn prove inclusion 4 --tlog-proof"), "\(late.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a receipt of scattered events is one short line`() throws {
    let store = try Self.store([Int](repeating: 2, count: 60))
    let odd = stride(from: 1, to: 60, by: 2).map(String.init).joined(separator: ",")
    let path = Scratch.path("receipt")
    #expect(try store.run("purge", "--events", odd, "--yes", "--receipt", path).status == 0)
    let key = try store.run("checkpoint", "--key").text.trimmingCharacters(in: .newlines)
    let said = try Shell.run(Store.binary, ["check", path, "--key", key]).text
    #expect(said.contains("1,3,5,7,9,11,13,15,17,19 and 20 more (--json has all)"), "\(said)")
  }
}
