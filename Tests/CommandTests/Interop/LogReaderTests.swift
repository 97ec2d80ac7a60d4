import Foundation
import Testing

/// The programs in Python beside this file.
enum LogReader {
  static let isPresent = (try? Shell.run("python3", "--version").status) == 0

  static func run(_ store: Store) throws -> ProcessResult { try run("read_log.py", [store.path]) }

  static func run(_ name: String, _ arguments: [String]) throws -> ProcessResult {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Python/"
    return try Shell.run("python3", ["-B", folder + name] + arguments)
  }
}

/// The article on formats is enough to read a log: `Python/read_log.py` knows nothing else.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct LogReaderTests {
  /// A store of this format with every kind of event, of which some are erased.
  private static func make(_ format: Int) throws -> Store {
    let store = Store("format-\(format)")
    var fourth = 4
    if format == 1 {
      // What a program of then wrote; goes on in format 2.
      let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../EventLogTests/Golden/format-1.store")
      try FileManager.default.createDirectory(
        atPath: store.path, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: golden.standardized, to: URL(filePath: store.path + "/log.mdb"))
      let verified = try #require(try store.run("verify", "--json").objects().first)
      fourth += try #require(verified["treeSize"] as? Int)
    }
    let long = String(repeating: "viele Wörter 日本 ", count: 700)
    let lines = [
      #"{"kind":"index","item":"a","domain":"x.y","attributes":{"title":"Größe 🦊","n":-3,"#
        + #""f":0.1,"h":1.5,"big":1e300,"list":[1,true,null,"x"],"data":{"base64":"AAEC"}}}"#,
      #"{"kind":"index","item":"long","domain":"x","attributes":{"textContent":"\#(long)"}}"#,
      #"{"kind":"update","item":"a","attributes":{"n":null},"expires":null,"domain":null}"#,
      #"{"kind":"view","item":"a","time":"1969-12-31T23:59:59.25Z","actor":"p","session":"s"}"#,
      #"{"kind":"view","item":"a","id":"AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEE1","dwell":2.5}"#,
      #"{"kind":"select","query":"er","item":"a","position":1,"shown":["a","b"],"deliberate":true}"#,
      #"{"kind":"impression","query":"er","shown":["b"],"mine":{"deep":[1,2,{"x":null}]}}"#,
      #"{"kind":"extend","item":"a","of":\#(fourth),"dwell":7.25}"#,
      #"{"kind":"delete","item":"b"}"#, #"{"kind":"delete","domain":"nowhere"}"#,
      #"{"kind":"index","item":"gone","domain":"secret","attributes":{"title":"\#(long)"}}"#,
      #"{"kind":"view","item":"gone","id":"AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEE2"}"#,
    ]
    try store.append(Data(lines.joined(separator: "\n").utf8))
    var more = EventLines()
    for number in 0..<300 {
      try more.add(["kind": "view", "item": "item \(number)", "id": UUID().uuidString])
    }
    try store.append(more.data)
    #expect(try store.run("purge", "--domain", "secret", "--yes").status == 0)
    // Of the store of format 1 an event whose header is of version 1.
    #expect(try store.run("purge", "--item", "Ding 7", "--yes").status == 0)
    if format == 3 {
      let schema = #"{"cairnSchema":1,"domains":{"x":{"attributes":{"n":{"type":"integer"}}}}}"#
      let file = try Scratch.file("schema.json", Data(schema.utf8))
      #expect(try store.run("schema", "set", file).status == 0)
    }
    return store
  }

  @Test(arguments: [1, 2, 3])
  func `a reader in Python sees what we see, and checks every hash`(format: Int) throws {
    let store = try Self.make(format)
    let read = try LogReader.run(store)
    try #require(read.status == 0, "\(read.errors)")
    var theirs = try read.objects()
    let ours = try store.run("log", "--erased", "--json").objects()
    let verified = try #require(try store.run("verify", "--json").objects().first)
    let whole = try #require(theirs.last)
    theirs.removeLast()
    for key in whole.keys {
      #expect(whole[key] as? NSObject == verified[key] as? NSObject, "\(key)")
    }
    #expect(theirs.count == ours.count)
    for (their, row) in zip(theirs, ours) {
      // The id of the event that this one lengthens stands in that one.
      var our = row
      our["ofId"] = nil
      #expect(NSDictionary(dictionary: their) == NSDictionary(dictionary: our))
    }
    #expect(ours.contains { $0["erased"] as? Bool == true })
  }

  @Test func `a reader of receipts and lists in Python sees what we see`() throws {
    let store = try Self.make(2)
    let (receipt, list) = (Scratch.path("receipt"), Scratch.path("list"))
    #expect(
      try store.run("purge", "--events", "20-40,60,70-75", "--yes", "--receipt", receipt).status
        == 0)
    #expect(try store.run("purges", "export", list).status == 0)
    let read = try LogReader.run("read_evidence.py", [receipt, list])
    try #require(read.status == 0, "\(read.errors)")
    let theirs = try #require(try read.objects().first)
    let key = try store.run("checkpoint", "--key").text.split(separator: "\n").joined()
    let checked = try Shell.run(Store.binary, "check", receipt, "--key", key, "--json")
    let ours = try #require(try checked.objects().first)
    for key in theirs.keys { #expect(theirs[key] as? NSObject == ours[key] as? NSObject, "\(key)") }
    let changed = try String(contentsOfFile: list, encoding: .utf8)
      .replacing("\"sequence\":21,", with: "\"sequence\":22,")
    let lie = try Scratch.file("lie", Data(changed.utf8))
    #expect(try LogReader.run("read_evidence.py", [receipt, lie]).status == 1)
  }

  @Test func `the reader notices a bit that flipped`() throws {
    let store = try Self.make(2)
    let file = URL(filePath: store.path + "/log.mdb")
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data("item 123".utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: file)
    let read = try LogReader.run(store)
    #expect(read.status == 1)
    #expect(read.errors.contains("a checksum of table events is wrong"))
  }
}
