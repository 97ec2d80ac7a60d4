import Foundation
import Testing

/// The evidence program in Go beside this file, built with golang.org/x/mod from Debian's
/// packages (golang-go, golang-golang-x-mod-dev); what needs it is skipped where it cannot be.
enum GoToolchain {
  static let libraries = "/usr/share/gocode"

  static let isPresent: Bool =
    FileManager.default.fileExists(atPath: "\(libraries)/src/golang.org/x/mod/sumdb/tlog")
    && (try? Shell.run("sh", "-c", "command -v go").status) == 0

  private static let program = Result {
    let source = URL(filePath: #filePath).deletingLastPathComponent().path + "/Go/evidence.go"
    let binary = Scratch.path("evidence")
    let built = try Shell.run(
      "go", ["build", "-o", binary, source],
      environment: [
        "GO111MODULE": "off", "GOPATH": libraries, "GOFLAGS": "",
        "GOCACHE": Scratch.path("go-cache"),
      ])
    try #require(built.status == 0, "go build: \(built.errors)")
    return binary
  }

  static func run(_ arguments: String...) throws -> ProcessResult {
    try Shell.run(try program.get(), arguments)
  }
}
