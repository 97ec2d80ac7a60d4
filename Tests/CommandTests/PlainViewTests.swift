import Testing

@testable import CairnCommand

/// The short way of `view` says what the long way says, in every form and every mistake.
@Suite struct PlainViewTests {
  @Test(arguments: [
    ["x"], ["x", "--title", "T", "--domain", "a.b"], ["--title", "T", "x", "--actor", "me"],
    ["x", "--domain", "a..b"], ["x", "--json"], ["x", "--title", "naïve \u{1F600}"],
  ]) func `gives the same events and errors`(arguments: [String]) throws {
    // An option that only the parser knows makes a line take the long way.
    let (short, long) = (Store("plain-short"), Store("plain-long"))
    let one = try short.run(["view"] + arguments)
    let two = try long.run(["view"] + arguments + ["--wait", "10"])
    #expect(one.status == two.status)
    #expect(one.errors == two.errors)
    guard one.status == 0 else { return }
    for command in [["items", "--json"], ["top", "--json", "--by", "count"]] {
      let answers = try (short.run(command).objects(), long.run(command).objects())
      #expect(answers.0.count == answers.1.count)
      #expect(answers.0.first?["title"] as? String == answers.1.first?["title"] as? String)
      #expect(answers.0.first?["domain"] as? String == answers.1.first?["domain"] as? String)
    }
    let logs = try (short.run("log", "--json").objects(), long.run("log", "--json").objects())
    #expect(logs.0.first?["item"] as? String == logs.1.first?["item"] as? String)
    #expect(logs.0.first?["actor"] as? String == logs.1.first?["actor"] as? String)
  }

  @Test(arguments: [
    [], ["view"], ["index", "x"], ["view", "x", "y"], ["view", "x", "--title"], ["view", "-x"],
    ["view", "x", "--title=T"], ["view", "x", "--title", "-T"], ["view", ""],
    ["view", "x", "--store", ""], ["view", "x", "--dwell", "3"], ["view", "--help"],
    ["view", "x", "--json", "--json"], ["view", "x", "--title", "a", "--title", "b"],
    ["view", "--", "x"],
  ]) func `leaves everything else to the parser`(line: [String]) {
    let plain = PlainView(line)
    #expect(plain == nil)
  }
}
