import Foundation
import Testing

/// What `doctor` says of the private key that signs checkpoints.
@Suite struct `Doctor on the signing key` {
  private static func make() throws -> (store: Store, key: String) {
    let store = Store("doctor")
    try store.append(Data(#"{"kind":"view","item":"a"}"#.utf8))
    return (store, store.path + "/signer.key")
  }

  /// The line on the key, and how the command ended.
  private static func look(at store: Store) throws -> (line: [String: Any]?, status: Int32) {
    let result = try store.run("doctor", "--json")
    return (try result.objects().first { $0["check"] as? String == "signer" }, result.status)
  }

  @Test func `a store that never signed has nothing to say of a key`() throws {
    let (store, _) = try Self.make()
    let found = try Self.look(at: store)
    #expect(found.line == nil && found.status == 0)
  }

  @Test func `a key for its owner alone is good, one that others may read is not`() throws {
    let (store, key) = try Self.make()
    #expect(try store.run("checkpoint").status == 0)
    let good = try Self.look(at: store)
    #expect(good.line?["state"] as? String == "good" && good.status == 0)
    #expect(good.line?["advice"] as? String == nil)
    for mode in [0o640, 0o604, 0o666] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
      let bad = try Self.look(at: store)
      #expect(bad.line?["state"] as? String == "bad" && bad.status == 1, "\(mode)")
      #expect((bad.line?["advice"] as? String)?.contains("chmod 600") == true, "\(mode)")
    }
    // What is advised helps.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    #expect(try Self.look(at: store).line?["state"] as? String == "good")
  }

  @Test func `a key that is damaged or another's is bad, and what is advised mends it`() throws {
    let (store, key) = try Self.make()
    let (other, foreign) = try Self.make()
    #expect(try store.run("checkpoint").status == 0)
    #expect(try other.run("checkpoint").status == 0)
    let url = URL(filePath: key)
    let whole = try Data(contentsOf: url)
    var flipped = whole
    flipped[flipped.count - 9] ^= 1
    let another = try Data(contentsOf: URL(filePath: foreign))
    for damage in [flipped, whole.prefix(20), Data(), another] {
      try damage.write(to: url)
      let bad = try Self.look(at: store)
      #expect(bad.line?["state"] as? String == "bad" && bad.status == 1, "\(damage.count)")
      #expect((bad.line?["finding"] as? String)?.contains("signer.key") == true)
      #expect((bad.line?["advice"] as? String)?.contains("--new-key") == true)
      #expect(try store.run("checkpoint").errors.contains("cairn checkpoint --new-key"))
    }
    #expect(try store.run("checkpoint", "--new-key").status == 0)
    #expect(try Self.look(at: store).line?["state"] as? String == "good")
    #expect(try store.run("checkpoint").status == 0)
  }

  @Test func `a key that is gone is worth a note, and a new one mends it`() throws {
    let (store, key) = try Self.make()
    #expect(try store.run("checkpoint").status == 0)
    try FileManager.default.removeItem(atPath: key)
    let gone = try Self.look(at: store)
    #expect(gone.line?["state"] as? String == "note" && gone.status == 0)
    #expect((gone.line?["advice"] as? String)?.contains("--new-key") == true)
    #expect(try store.run("checkpoint", "--new-key").status == 0)
    #expect(try Self.look(at: store).line?["state"] as? String == "good")
  }
}

/// What `doctor` says of projections that cannot be read.
@Suite struct `Doctor on damage` {
  @Test func `what is no store is named by its path, as by every command`() throws {
    let missing = Store("doctor-missing")
    let file = Store(at: try Scratch.file("doctor-file", Data("x".utf8)))
    for store in [missing, file] {
      let doctor = try store.run("doctor")
      let items = try store.run("items")
      #expect(doctor.status == 66 && doctor.errors == items.errors, "\(doctor.errors)")
      #expect(doctor.errors.hasPrefix("cairn: \(store.path): "))
    }
  }

  @Test func `damaged projections are named with what mends them, and it does`() throws {
    let store = Store("doctor-damage")
    let lines = (1...400).map {
      #"{"kind":"index","item":"i\#($0)","attributes":{"title":"word \#($0)"}}"#
    }
    try store.append(Data(lines.joined(separator: "\n").utf8))
    let path = store.path + "/view-1.mdb"
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // Everything behind the two pages that say where all begins.
    for index in stride(from: 8192, to: bytes.count, by: 7) { bytes[index] ^= 0x5a }
    try Data(bytes).write(to: URL(filePath: path))
    let ill = try store.run("doctor", "--json")
    #expect(ill.status == 1)
    let line = try #require(try ill.objects().first { $0["check"] as? String == "projections" })
    #expect(line["state"] as? String == "bad")
    #expect((line["finding"] as? String)?.hasPrefix("view-1.mdb") == true)
    #expect(line["advice"] as? String == "run: cairn rebuild")
    #expect(try store.run("items", "--json").errors.contains("run: cairn rebuild"))
    #expect(try store.run("rebuild").status == 0)
    #expect(try store.run("doctor").status == 0)
    #expect(try store.run("search", "word 7").status == 0)
  }
}
