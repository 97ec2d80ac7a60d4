import Foundation
import TestSupport
import Testing

/// A program compiled against the modules of the build that runs the tests, in a folder of its own.
struct SourceProgram {
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

  private let scratch: String
  private let source: String

  /// Writes a whole program into a new folder.
  init(_ text: String) throws {
    scratch = FileManager.default.temporaryDirectory.path + "/cairn-program-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    // A program without an entry point of its own is the main file.
    source = scratch + (text.contains("@main") ? "/program.swift" : "/main.swift")
    try text.write(toFile: source, atomically: true, encoding: .utf8)
  }

  /// Runs what was compiled, in its folder and on a store there.
  func run(_ arguments: String...) throws -> (status: Int32, output: String) {
    try Self.run(
      scratch + "/program", arguments, environment: ["CAIRN_STORE": scratch + "/store"],
      directory: scratch)
  }

  func remove() { try? FileManager.default.removeItem(atPath: scratch) }

  /// Compiles it in a language mode: to the end in Swift 6, else only its types are checked.
  func compile(language: String, options: [String] = []) throws -> (status: Int32, output: String) {
    let products = try #require(Self.products).path
    var arguments = ["swiftc", "-Onone", "-swift-version", language, "-I", products + "/Modules"]
    for library in ["CCrypto", "CLMDB", "CStemmer"] {
      arguments += ["-I", Checkout.root.path + "/Sources/" + library]
    }
    for target in ["CICU", "CPageGuard"] {
      arguments += ["-Xcc", "-fmodule-map-file=\(products)/\(target).build/module.modulemap"]
    }
    if source.hasSuffix("program.swift") { arguments.append("-parse-as-library") }
    arguments += options + ["-module-name", "Program", source]
    guard language == "6" else { return try Self.run("/usr/bin/env", arguments + ["-typecheck"]) }
    for target in try FileManager.default.contentsOfDirectory(atPath: products).sorted()
    where target.hasSuffix(".build") && Self.isNeeded(String(target.dropLast(6))) {
      arguments += Self.objects(in: products + "/" + target)
    }
    arguments += [
      "-lcrypto", "-llmdb", "-licui18n", "-licuuc", "-lstemmer", "-lstdc++", "-o",
      scratch + "/program",
    ]
    return try Self.run("/usr/bin/env", arguments)
  }

  /// The libraries and the targets below them, by the table of the Architecture article, which a
  /// test compares with the manifest.
  private static let engine: Set<String> = {
    let article = Checkout.root.appending(path: "Sources/Cairn/Cairn.docc/Architecture.md")
    // Without the article the programs do not link, and say so.
    let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
    var uses: [String: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let names = line.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      guard let target = names.first else { continue }
      uses[String(target.element)] = names.dropFirst().map { String($0.element) }
    }
    var found: Set<String> = []
    var open = ["CoreServices", "Intents", "OSLog"]
    while let target = open.popLast() {
      guard let below = uses[target], found.insert(target).inserted else { continue }
      open += below
    }
    return found
  }()

  /// The engine and the packages it uses; no programs and no tests.
  private static func isNeeded(_ target: String) -> Bool {
    let packages = ["HeapModule", "Collections", "Containers"]
    return engine.contains(target) || packages.contains { target.contains($0) }
  }

  /// What a target was compiled to; a build keeps that of files that are no longer there.
  private static func objects(in folder: String) -> [String] {
    let target = URL(filePath: folder).deletingPathExtension().lastPathComponent
    let sources = engine.contains(target) ? sources(of: target) : nil
    return files(in: folder).filter { path in
      guard path.hasSuffix(".o") else { return false }
      guard let sources, path.hasSuffix(".swift.o") else { return true }
      return sources.contains(String(URL(filePath: path).lastPathComponent.dropLast(2)))
    }.sorted()
  }

  /// The names of a target's files.
  private static func sources(of target: String) -> Set<String> {
    let path = target == "Migrations" ? target : "Sources/\(target)"
    let folder = Checkout.root.appending(path: path).path
    return Set(files(in: folder).map { URL(filePath: $0).lastPathComponent })
  }

  private static func files(in folder: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.map { folder + "/" + $0 }
  }

  static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    directory: String? = nil
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }
}
