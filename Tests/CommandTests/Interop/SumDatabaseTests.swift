import Foundation
import Testing

@Suite(.enabled(if: GoToolchain.isPresent, "needs golang-go and golang-golang-x-mod-dev"))
struct `Evidence between Cairn and golang.org/x/mod/sumdb` {
  private static func write(_ bytes: Data, _ parts: String...) throws {
    try bytes.write(to: URL(filePath: parts.joined(separator: "/")))
  }

  /// A store whose evidence lies in a directory, for Go to check.
  private static func evidence(of count: Int) throws -> (store: Store, directory: String) {
    let store = Store("evidence")
    var lines = EventLines()
    for number in 0..<count { try lines.add(["kind": "index", "item": "item-\(number)"]) }
    try store.append(lines.data)
    let directory = Scratch.path("to-go")
    let exported = try store.run("export", "--format", "tiles", directory + "/tiles")
    try #require(exported.status == 0, "\(exported.errors)")
    try write(try store.run("checkpoint").output, directory, "checkpoint")
    try write(try store.run("checkpoint", "--key").output, directory, "vkey")
    try FileManager.default.copyItem(
      atPath: store.path + "/signer.key", toPath: directory + "/signer.key")
    var proofs = Data()
    let places = [1, 2, count / 3, count / 2, count - 1, count].filter { $0 > 0 }
    for place in places {
      proofs += try store.run("prove", "inclusion", "\(place)", "--json").output
      proofs += try store.run("prove", "inclusion", "1", "--size", "\(place)", "--json").output
      proofs += try store.run("prove", "consistency", "\(place)", "\(count)", "--json").output
    }
    try write(proofs, directory, "proofs.ndjson")
    return (store, directory)
  }

  @Test(arguments: [1, 3, 256, 700])
  func `Go verifies our checkpoints, proofs and tiles, and signs as we do`(count: Int) throws {
    let (_, directory) = try Self.evidence(of: count)
    let verified = try GoToolchain.run("verify", directory)
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.text.hasPrefix("\(count) "))
  }

  @Test func `Go refuses what was changed`() throws {
    let (_, directory) = try Self.evidence(of: 300)
    for (name, from, to) in [
      ("checkpoint", "\n300\n", "\n299\n"),
      ("proofs.ndjson", #""leafIndex":149"#, #""leafIndex":148"#),
      ("proofs.ndjson", #""oldSize":150"#, #""oldSize":151"#),
    ] {
      let path = "\(directory)/\(name)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try #require(text.contains(from))
      try text.replacing(from, with: to).write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try GoToolchain.run("verify", directory).status == 1, "\(name)")
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let tile = URL(filePath: directory + "/tiles/tile/0/000")
    var bytes = try Data(contentsOf: tile)
    bytes[1000] ^= 1
    try bytes.write(to: tile)
    #expect(try GoToolchain.run("verify", directory).status == 1)
  }

  @Test(arguments: [2, 255, 256, 700]) func `we verify Go's checkpoints, proofs and tiles`(
    count: Int
  ) throws {
    let directory = Scratch.path("from-go")
    let made = try GoToolchain.run("make", directory, "\(count)")
    try #require(made.status == 0, "\(made.errors)")
    let key = try String(contentsOfFile: directory + "/vkey", encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let tiles = directory + "/tiles"
    for path in [tiles, tiles + "/checkpoint"] {
      let checked = try Shell.run(Store.binary, "check", path, "--key", key, "--json")
      #expect(checked.status == 0, "\(checked.errors)")
      #expect(try checked.objects().first?["treeSize"] as? Int == count)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory + "/proofs") {
      let path = "\(directory)/proofs/\(name)"
      let checked = try Shell.run(Store.binary, "check", path, "--key", key)
      #expect(checked.status == 0, "\(name): \(checked.errors)")
      let other = try Shell.run(Store.binary, "check", path, "--key", key, "--leaf", "AAAA")
      #expect(other.status == 1)
    }
    let state = ["--state", Scratch.path("witness")]
    _ = try Shell.run(Store.binary, ["witness", "key", "--name", "w"] + state)
    _ = try Shell.run(Store.binary, ["witness", "trust", key] + state)
    let steps = try FileManager.default.contentsOfDirectory(atPath: directory + "/requests")
    #expect(steps.count == (count == 2 ? 2 : 5))
    for step in steps.sorted() {
      let path = "\(directory)/requests/\(step)"
      let signed = try Shell.run(Store.binary, ["witness", "cosign", path] + state)
      #expect(signed.status == 0, "\(step): \(signed.errors)")
    }
  }
}
