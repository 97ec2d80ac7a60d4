import Foundation
import Testing

/// Programs in the style of Apple's documentation compile unchanged and do what they do there.
///
/// Each `.txt` in `Programs` is a whole program; what it prints is in `Expected` there.
@Suite struct SourceCompatibilityTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Programs")

  static let programs: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }()

  @Test(
    .enabled(if: SourceProgram.products != nil, "needs the modules of the build"),
    .timeLimit(.minutes(5)),
    arguments: programs.map { ($0, "6") } + [("handlers", "5"), ("recipes", "5")])
  func `a program for Apple's systems compiles`(program: String, language: String) throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: program + ".txt"), encoding: .utf8)
    let source = try SourceProgram(text)
    defer { source.remove() }
    let compiled = try source.compile(language: language)
    #expect(compiled.status == 0, "\(compiled.output)")
    guard compiled.status == 0, language == "6" else { return }
    let expected = try String(
      contentsOf: Self.folder.appending(path: "Expected/\(program).txt"), encoding: .utf8)
    let ran = try source.run()
    #expect(ran.output == expected)
    #expect(ran.status == 0)
  }

  @Test func `there are programs to compile`() { #expect(Self.programs.count >= 6) }
}
