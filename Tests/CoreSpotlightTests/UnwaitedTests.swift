import Foundation
import Testing

/// What a program asked for with its last line, and waited for or not.
@Suite(
  .enabled(if: SourceProgram.products != nil, "needs the modules of the build"),
  .timeLimit(.minutes(5))) struct UnwaitedTests
{
  private static let item = """
    import CoreSpotlight
    import Foundation

    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.title = "Harbour survey"
    let item = CSSearchableItem(
      uniqueIdentifier: "report.7", domainIdentifier: "work.reports", attributeSet: attributes)

    """

  @Test func `what was asked for last is on disk when the program has ended`() throws {
    let program = try SourceProgram(
      Self.item + """
        if CommandLine.arguments.count == 1 {
          CSSearchableIndex.default().indexSearchableItems([item])
          let activity = NSUserActivity(activityType: "read")
          activity.title = "Harbour notes"
          activity.isEligibleForSearch = true
          activity.becomeCurrent()
          exit(0)
        }
        let query = CSSearchQuery(queryString: "title == \\"harb*\\"c", queryContext: nil)
        query.foundItemsHandler = { items in for item in items { print(item.attributeSet.title ?? "") } }
        query.completionHandler = { _ in exit(0) }
        query.start()
        dispatchMain()
        """)
    defer { program.remove() }
    let compiled = try program.compile(language: "6")
    try #require(compiled.status == 0, "\(compiled.output)")
    #expect(try program.run() == (0, ""))
    let found = try program.run("find").output.split(separator: "\n")
    #expect(found.sorted() == ["Harbour notes", "Harbour survey"])
  }

  @Test func `awaiting at top level what waits for nothing is refused`() throws {
    let program = try SourceProgram(
      Self.item + "try await CSSearchableIndex.default().indexSearchableItems([item])\n")
    defer { program.remove() }
    let compiled = try program.compile(language: "6")
    #expect(compiled.status != 0)
    #expect(compiled.output.contains("unavailable from asynchronous contexts"))
    #expect(compiled.output.contains("move the call into an async function"))
  }

  @Test func `why a change failed that nobody waits for is said`() throws {
    let program = try SourceProgram(
      Self.item + """
        item.domainIdentifier = "work..reports"
        CSSearchableIndex.default().indexSearchableItems([item])
        """)
    defer { program.remove() }
    let compiled = try program.compile(language: "6")
    try #require(compiled.status == 0, "\(compiled.output)")
    let ran = try program.run()
    #expect(ran.output.hasPrefix("CoreSpotlight: a change failed, which no handler is told of: "))
    #expect(ran.output.split(separator: "\n").count == 1)
  }

  @Test func `why activities were not deleted is said, since their handler gets no error`() throws {
    let program = try SourceProgram(
      """
      import CoreSpotlight
      import Foundation

      _ = FileManager.default.createFile(atPath: "store", contents: Data("no store".utf8))
      NSUserActivity.deleteAllSavedUserActivities { exit(0) }
      dispatchMain()
      """)
    defer { program.remove() }
    let compiled = try program.compile(language: "6")
    try #require(compiled.status == 0, "\(compiled.output)")
    let ran = try program.run()
    #expect(ran.status == 0)
    #expect(ran.output.hasPrefix("CoreSpotlight: a change failed, which no handler is told of: "))
  }
}
