import Foundation
import Testing

@testable import LMDB

/// Misuse that the compiler must refuse.
///
/// Each file in `CompileFail` is compiled against the built module by `swiftc -verify`, which fails
/// unless exactly the diagnostics named in its comments appear.
@Suite struct CompileFailTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("CompileFail")

  static let files: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".swift") }.sorted()
  }()

  /// Where the build that runs this test put its modules.
  static let modules: String? = {
    var place = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = place.appendingPathComponent("Modules")
      let module = candidate.appendingPathComponent("LMDB.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return candidate.path }
      place.deleteLastPathComponent()
    }
    return nil
  }()

  @Test(.enabled(if: modules != nil, "needs the modules of the build"), arguments: files)
  func `misuse does not compile`(file: String) throws {
    let source = Self.folder.appendingPathComponent(file)
    let clmdb = Self.folder.appendingPathComponent("../../../Sources/CLMDB").standardized
    let text = try String(contentsOf: source, encoding: .utf8)
    #expect(text.contains("expected-error") != file.hasPrefix("allowed"))

    let output = Pipe()
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let modules = try #require(Self.modules)
    compiler.arguments =
      ["swiftc", "-c", "-o", "/dev/null", "-swift-version", "6", "-strict-memory-safety"] + [
        "-Xfrontend", "-verify", "-Xfrontend", "-verify-ignore-unrelated",
      ] + [
        "-I", modules, "-I", clmdb.path, "-Xcc",
        "-fmodule-map-file=\(modules)/../CPageGuard.build/module.modulemap", source.path,
      ]
    compiler.standardError = output
    compiler.standardOutput = output
    try compiler.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0, "\(said)")
  }

  @Test func `there are files to compile`() { #expect(Self.files.count >= 10) }
}
