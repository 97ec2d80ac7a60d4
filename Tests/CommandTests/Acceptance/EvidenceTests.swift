import Foundation
import Testing

@Suite struct `Evidence on the command line` {
  private static func make(_ count: Int) throws -> Store {
    let store = Store("evidence")
    var lines = EventLines()
    for number in 0..<count { try lines.add(["kind": "index", "item": "item-\(number)"]) }
    try store.append(lines.data)
    return store
  }

  private static func cairn(_ arguments: [String], input: Data? = nil) throws -> ProcessResult {
    try Shell.run(Store.binary, arguments, input: input)
  }

  private static func expectOneLine(_ result: ProcessResult, _ status: Int32, _ what: String) {
    #expect(result.status == status, "\(what): \(result.errors)")
    #expect(result.output.isEmpty, "\(what)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(what): \(result.errors)")
  }

  @Test func `proofs have the keys that others read`() throws {
    let store = try Self.make(11)
    let inclusion = try #require(
      try store.run("prove", "inclusion", "5", "--size", "7", "--json").objects().first)
    #expect(
      Set(inclusion.keys) == ["leaf", "leafHash", "leafIndex", "treeSize", "rootHash", "hashes"])
    #expect(inclusion["leafIndex"] as? Int == 4 && inclusion["treeSize"] as? Int == 7)
    let leaf = try #require((inclusion["leaf"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(leaf.count == 48)
    let log = try store.run("log", "--from", "5", "--to", "5", "--json").objects()
    #expect(inclusion["leafHash"] as? String == log.first?["hash"] as? String)
    let consistency = try #require(
      try store.run("prove", "consistency", "7", "11", "--json").objects().first)
    #expect(Set(consistency.keys) == ["oldSize", "newSize", "oldRoot", "newRoot", "hashes"])
    #expect(consistency["oldRoot"] as? String == inclusion["rootHash"] as? String)
    let verified = try #require(try store.run("verify", "--json").objects().first)
    #expect(consistency["newRoot"] as? String == verified["rootHash"] as? String)
    let text = try store.run("prove", "inclusion", "5")
    #expect(text.status == 0 && text.text.contains("leaf 4 of 11"))
  }

  @Test func `what is no checkpoint of the store is told of as that`() throws {
    let store = try Self.make(3)
    let none = try Scratch.file("none", Data("{}\n".utf8))
    let other = try Self.make(2)
    let foreign = try Scratch.file("foreign", try other.run("checkpoint").output)
    let backup = Scratch.path("backup")
    #expect(try store.run("backup", backup).status == 0)
    #expect(try store.run("checkpoint").status == 0)
    for (status, line) in [
      (65, ["verify", "--against", none]), (1, ["verify", "--against", foreign]),
      (65, ["restore", backup, "--into", Scratch.path("restored"), "--checkpoint", none]),
    ] as [(Int32, [String])] {
      let result = try store.run(line)
      Self.expectOneLine(result, status, "\(line)")
      #expect(result.errors.hasPrefix("cairn: the checkpoint: "), "\(line): \(result.errors)")
    }
  }

  @Test func `what cannot be proven is 1, what means nothing is 64, no store is 66`() throws {
    let store = try Self.make(5)
    for command in [
      ["inclusion", "0"], ["inclusion", "6"], ["inclusion", "4", "--size", "3"],
      ["inclusion", "1", "--size", "6"], ["inclusion", "1", "--size", "0"],
      ["consistency", "0", "5"], ["consistency", "4", "3"], ["consistency", "5", "6"],
      ["inclusion", "18446744073709551615"], ["inclusion", "6", "--tlog-proof", "-"],
    ] { Self.expectOneLine(try store.run(["prove"] + command), 1, "\(command)") }
    for command in [
      ["prove", "inclusion", "x"], ["prove", "inclusion"], ["prove", "consistency", "1"],
      ["prove", "inclusion", "18446744073709551616"], ["checkpoint", "--key", "--old", "1"],
      ["export", "--format", "tiles"], ["export", "somewhere"], ["checkpoint", "--origin", "a b"],
      ["prove", "inclusion", "1", "--checkpoint", "x"],
    ] { #expect(try store.run(command).status == 64, "\(command)") }
    let missing = Store("missing")
    for command in [
      ["prove", "inclusion", "1"], ["prove", "consistency", "1", "1"], ["checkpoint"],
      ["checkpoint", "--key"], ["checkpoint", "--old", "0"],
      ["export", "--format", "tiles", Scratch.path("tiles")],
    ] { Self.expectOneLine(try missing.run(command), 66, "\(command)") }
    #expect(!FileManager.default.fileExists(atPath: missing.path))
    Self.expectOneLine(try Self.cairn(["witness", "logs", "--state", missing.path]), 66, "witness")
  }

  @Test func `a checkpoint of the head is text that its own key checks`() throws {
    let store = try Self.make(3)
    let key = try store.run("checkpoint", "--key").text.trimmingCharacters(in: .newlines)
    let checkpoint = try store.run("checkpoint")
    let lines = checkpoint.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6 && lines[1] == "3" && lines[3] == "" && lines[5] == "")
    #expect(key.hasPrefix("\(lines[0])+"))
    #expect(lines[4].hasPrefix("\u{2014} \(lines[0]) "))
    #expect(try store.run("checkpoint").output == checkpoint.output)
    let checked = try Self.cairn(["check", "-", "--key", key], input: checkpoint.output)
    #expect(checked.status == 0, "\(checked.errors)")
    let forged = Data(checkpoint.text.replacing("\n3\n", with: "\n4\n").utf8)
    Self.expectOneLine(try Self.cairn(["check", "-", "--key", key], input: forged), 1, "forged")
    Self.expectOneLine(
      try Self.cairn(["check", "-", "--key", key], input: Data("no note".utf8)), 65, "no note")
    Self.expectOneLine(
      try Self.cairn(["check", "-", "--key", "no+key"], input: checkpoint.output), 64, "no key")
    Self.expectOneLine(try Self.cairn(["check", store.path + "x", "--key", key]), 66, "no file")
    let mode = try FileManager.default.attributesOfItem(atPath: store.path + "/signer.key")
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  @Test func `an origin that is too long is refused and leaves no key behind`() throws {
    let store = try Self.make(1)
    let long = String(repeating: "x", count: 1_025)
    for line in [["checkpoint"], ["checkpoint", "--key"]] {
      Self.expectOneLine(try store.run(line + ["--origin", long]), 64, "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: store.path + "/signer.key"))
    let longest = String(long.dropLast())
    let signed = try store.run("checkpoint", "--origin", longest)
    #expect(signed.status == 0 && signed.text.hasPrefix("\(longest)\n1\n"), "\(signed.errors)")
  }

  @Test func `a store put back to an older state is found out`() throws {
    let store = try Self.make(5)
    let early = try Scratch.file("early", try store.run("checkpoint").output)
    let older = Scratch.path("older")
    try FileManager.default.copyItem(atPath: store.path, toPath: older)
    try store.append(Data(#"{"kind":"view","item":"item-1"}"#.utf8))
    let late = try Scratch.file("late", try store.run("checkpoint").output)
    for path in [early, late] { #expect(try store.run("verify", "--against", path).status == 0) }
    let back = Store(at: older)
    #expect(try back.run("verify", "--against", early).status == 0)
    let found = try back.run("verify", "--against", late, "--json")
    #expect(found.status == 1)
    #expect(try found.objects().first?["ok"] as? Bool == false)
  }

  /// Magic, versions, page numbers and table roots of both meta pages, then anywhere.
  @Test(arguments: [16, 17, 20, 40, 88, 128, 136, 4_112, 4_116, 4_184, 4_224, 4_232, 8_200, 20_000])
  func `a flipped bit is a verification that failed, or harmless`(place: Int) throws {
    let store = try Self.make(40)
    _ = try store.run("checkpoint")
    for name in ["log.mdb", "view-1.mdb", "CURRENT"] {
      let url = URL(filePath: "\(store.path)/\(name)")
      let bytes = try Data(contentsOf: url)
      var damaged = bytes
      damaged[place % bytes.count] ^= UInt8(1 << (place / 4 % 8))
      try damaged.write(to: url)
      let found = try store.run("verify", "--json")
      #expect([0, 1].contains(found.status) && found.signal == 0, "\(name): \(found.errors)")
      let report = try #require(try found.objects().first)
      #expect(report["ok"] as? Bool == (found.status == 0))
      try bytes.write(to: url)
    }
    #expect(try store.run("verify").status == 0)
  }

  @Test func `a witness on the command line refuses with 1 and says the protocol's status`() throws
  {
    let store = try Self.make(5)
    let state = ["--state", Scratch.path("witness"), "--json"]
    func ask(_ request: Data) throws -> (exit: Int32, status: Int?, size: Int?) {
      let answer = try Self.cairn(["witness", "cosign"] + state, input: request)
      let object = try answer.objects().first
      return (answer.status, object?["status"] as? Int, object?["size"] as? Int)
    }
    let key = try store.run("checkpoint", "--key").text.trimmingCharacters(in: .newlines)
    #expect(try Self.cairn(["witness", "key", "--name", "w"] + state).status == 0)
    let first = try store.run("checkpoint", "--old", "0").output
    #expect(try ask(first) == (1, 404, nil))
    #expect(try Self.cairn(["witness", "trust", key] + state).status == 0)
    #expect(try ask(first) == (0, 200, nil))
    let older = Scratch.path("older")
    try FileManager.default.copyItem(atPath: store.path, toPath: older)
    try store.append(Data(#"{"kind":"view","item":"item-1"}"#.utf8))
    let second = try store.run("checkpoint", "--old", "5").output
    #expect(try ask(store.run("checkpoint", "--old", "0").output) == (1, 409, 5))
    #expect(try ask(second) == (0, 200, nil))
    #expect(try ask(Store(at: older).run("checkpoint", "--old", "0").output) == (1, 409, 6))
    try Store(at: older).append(Data(#"{"kind":"view","item":"item-2"}"#.utf8))
    #expect(try ask(Store(at: older).run("checkpoint", "--old", "6").output) == (1, 422, nil))
    #expect(try ask(Data("hello".utf8)) == (1, 400, nil))
    let logs = try Self.cairn(["witness", "logs"] + state).objects()
    #expect(logs.map { $0["treeSize"] as? Int } == [6])
  }
}
