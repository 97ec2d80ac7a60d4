import Foundation
import Testing

/// Programs in the style of Apple's documentation compile unchanged and do what they do there.
///
/// Each `.txt` in `Programs` is a whole program, beside what it prints.
@Suite struct SourceCompatibilityTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Programs")

  static let programs: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }()

  /// Where the build that runs this test put its products.
  static let products: URL? = {
    var place = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let module = place.appending(path: "Modules/CoreSpotlight.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return place }
      place.deleteLastPathComponent()
    }
    return nil
  }()

  @Test(
    .enabled(if: products != nil, "needs the modules of the build"), .timeLimit(.minutes(5)),
    arguments: programs.map { ($0, "6") } + [("handlers", "5"), ("recipes", "5")])
  func `a program for Apple's systems compiles`(program: String, language: String) throws {
    let scratch =
      FileManager.default.temporaryDirectory.path + "/cairn-program-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let text = try String(
      contentsOf: Self.folder.appending(path: program + ".txt"), encoding: .utf8)
    // A program without an entry point of its own is the main file.
    let name = text.contains("@main") ? "program.swift" : "main.swift"
    try text.write(toFile: "\(scratch)/\(name)", atomically: true, encoding: .utf8)
    let compiled = try Self.compile("\(scratch)/\(name)", language, scratch)
    #expect(compiled.status == 0, "\(compiled.output)")
    guard compiled.status == 0, language == "6" else { return }
    let expected = try String(
      contentsOf: Self.folder.appending(path: program + ".expected"), encoding: .utf8)
    let ran = try Self.run(
      "\(scratch)/program", [], environment: ["CAIRN_STORE": scratch + "/store"])
    #expect(ran.output == expected)
    #expect(ran.status == 0)
  }

  private static func compile(_ source: String, _ language: String, _ scratch: String) throws -> (
    status: Int32, output: String
  ) {
    let products = try #require(products).path
    var arguments = ["swiftc", "-Onone", "-swift-version", language, "-I", products + "/Modules"]
    for library in ["CLMDB", "CStemmer"] {
      arguments += ["-I", folder.path + "/../../../Sources/" + library]
    }
    for library in ["CICU", "CSHA256"] {
      arguments += ["-Xcc", "-fmodule-map-file=\(products)/\(library).build/module.modulemap"]
    }
    if source.hasSuffix("program.swift") { arguments.append("-parse-as-library") }
    arguments += ["-module-name", "Program", source]
    guard language == "6" else { return try run("/usr/bin/env", arguments + ["-typecheck"]) }
    for target in try FileManager.default.contentsOfDirectory(atPath: products).sorted()
    where target.hasSuffix(".build") && isNeeded(String(target.dropLast(6))) {
      arguments += objects(in: products + "/" + target)
    }
    arguments += ["-llmdb", "-licuuc", "-lstemmer", "-lstdc++", "-o", scratch + "/program"]
    return try run("/usr/bin/env", arguments)
  }

  /// The engine and its C parts.
  private static let engine: Set = [
    "LMDB", "CICU", "CSHA256", "Events", "HashTree", "EventLog", "Migrations", "Text", "Query",
    "Projections", "Catalog", "TextIndex", "Ranking", "Timeline", "Cairn", "CoreSpotlight",
    "UniformTypeIdentifiers", "MobileCoreServices",
  ]

  /// The engine and cryptography; no programs and no tests.
  private static func isNeeded(_ target: String) -> Bool {
    engine.contains(target) || target.contains("Crypto") || target.contains("XKCP")
  }

  /// What a target was compiled to; a build keeps that of files that are no longer there.
  private static func objects(in folder: String) -> [String] {
    let isOurs = engine.contains(URL(filePath: folder).deletingPathExtension().lastPathComponent)
    return files(in: folder).filter { path in
      guard path.hasSuffix(".o") else { return false }
      guard isOurs, path.hasSuffix(".swift.o") else { return true }
      return sources.contains(String(URL(filePath: path).lastPathComponent.dropLast(2)))
    }.sorted()
  }

  private static let sources: Set<String> = {
    let root = folder.path + "/../../../"
    let paths = files(in: root + "Sources") + files(in: root + "Migrations")
    return Set(paths.map { URL(filePath: $0).lastPathComponent })
  }()

  private static func files(in folder: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.map { folder + "/" + $0 }
  }

  static func run(_ program: String, _ arguments: [String], environment: [String: String] = [:])
    throws -> (status: Int32, output: String)
  {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  @Test func `there are programs to compile`() { #expect(Self.programs.count >= 6) }
}
