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
