import Foundation
import Testing

/// Numbers and truth values as people write them: taken as meant, or refused, never bent.
@Suite struct NumberTests {
  @Test func `true and false in a filter are 1 and 0, in any letter case`() throws {
    let store = Store()
    try store.append(
      Data(
        """
        {"kind":"index","item":"on","attributes":{"flag":true,"Yes":"yes"}}
        {"kind":"index","item":"off","attributes":{"flag":false}}
        {"kind":"index","item":"none"}

        """.utf8))
    func items(_ filter: String) throws -> [String] {
      try store.run("items", "--filter", filter, "--json").objects().compactMap {
        $0["item"] as? String
      }
    }
    for word in ["true", "TRUE", "Yes", "1"] {
      #expect(try items("flag == \(word)") == ["on"])
      #expect(try items("flag==\(word)&&flag != no") == ["on"])
      #expect(Set(try items("flag != \(word)")) == ["off", "none"])
    }
    for word in ["false", "No", "0"] { #expect(try items("!(flag == \(word))").count == 2) }
    #expect(try items("Yes == \"yes\"") == ["on"])
    #expect(try items("(flag == false)") == ["off"])
    #expect(try store.run("items", "--filter", "flag == trueish").status == 64)
    #expect(try store.run("items", "--filter", "flag == maybe").status == 64)
  }

  @Test func `counts have their thousands apart, and sequences can be typed as shown`() throws {
    let store = Store()
    let lines = Data(String(repeating: #"{"kind":"view","item":"a"}\#n"#, count: 1_200).utf8)
    let told = try store.run(["append"], input: lines).text
    #expect(told == "1,200 accepted, 0 duplicates, 0 rejected (events 1–1200)\n")
    let one = try store.run(["append"], input: Data(#"{"kind":"view","item":"b"}"#.utf8)).text
    #expect(one == "1 accepted, 0 duplicates, 0 rejected (event 1201)\n")
    let text = try store.run("stats").text
    #expect(text.contains("events       1,201\n") && text.contains("head         event 1201 "))
    #expect(!text.contains("event 1,201"))
    #expect(try store.run("rebuild", "--status").text.contains("event 1201"))
  }

  @Test func `numbers that are no sequence are no point`() throws {
    let store = Store()
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    for text in ["-1", "1.5", "5.0", "+1"] {
      let result = try store.run("items", "--as-of=\(text)")
      #expect(result.status == 64 && result.errors.contains("--as-of"), "\(text) \(result.errors)")
      #expect(try store.run("log", "--as-of=\(text)").status == 64)
    }
    #expect(try store.run("items", "--as-of=2.").status != 0)
    #expect(try store.run("items", "--as-of", "0").status == 0)
  }

  @Test func `a whole number is kept exactly or refused, and a position may be 1.0`() throws {
    let store = Store()
    let lines = """
      {"kind":"view","item":"a","attributes":{"n":12345678901234567890}}
      {"kind":"view","item":"a","attributes":{"n":[1,100000000000000000001]}}
      {"kind":"view","item":"a","attributes":{"n":9223372036854775808,"m":9223372036854775807,"z":-0}}
      {"kind":"select","item":"a","query":"x","position":1.0}
      {"kind":"select","item":"a","query":"x","position":1.5}

      """
    let result = try store.run(["append"], input: Data(lines.utf8))
    #expect(result.status == 65 && result.text.hasPrefix("2 accepted, 0 duplicates, 3 rejected"))
    let said = result.errors.split(separator: "\n").map(String.init)
    #expect(said.count == 3 && said.prefix(2).allSatisfy { $0.contains("would be rounded") })
    #expect(try store.run("export").text.contains("\"position\":1,"))
    #expect(try store.run("export").text.contains("\"m\":9223372036854775807"))
  }

  @Test func `a restore wants a backup, and a place outside it`() throws {
    let store = Store()
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    let nothing = Scratch.path("nothing")
    let missing = try store.run("restore", nothing, "--into", Scratch.path("new"))
    #expect(missing.status == 66 && missing.errors.contains("holds no backup"), "\(missing.errors)")
    let backup = Scratch.path("backup")
    #expect(try store.run("backup", backup).status == 0)
    let inside = try store.run("restore", backup, "--into", backup + "/x")
    #expect(inside.status == 64 && inside.errors.contains("in the backup"), "\(inside.errors)")
    #expect(!FileManager.default.fileExists(atPath: backup + "/x"))
    #expect(try store.run("restore", backup, "--into", Scratch.path("new")).status == 0)
  }
}
