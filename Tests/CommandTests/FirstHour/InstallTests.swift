import Foundation
import TestSupport
import Testing

/// What `make install` puts under a prefix, and what `make uninstall` leaves.
@Suite struct `An installation` {
  @Test func `is found by the shells, man and systemd, and goes without a trace`() throws {
    let prefix = Scratch.path("prefix")
    let install = Checkout.root.appending(path: "Tools/install").path
    let other = prefix + "/share/man/man1/cairnsmith.1.gz"
    try FileManager.default.createDirectory(
      atPath: prefix + "/share/man/man1", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: other))
    let done = try Shell.run("bash", install, Store.binary, prefix)
    #expect(done.status == 0, "\(done.errors)")
    // A user's own systemd looks there, whatever the prefix (systemd.unit(5)); not below lib.
    let unit = try String(
      contentsOfFile: prefix + "/share/systemd/user/cairn.service", encoding: .utf8)
    #expect(unit.contains("ExecStart=\(prefix)/bin/cairn serve"), "\(unit)")
    for path in [
      "bin/cairn", "share/systemd/user/cairn.socket", "share/systemd/user/cairn-watch.service",
      "share/man/man1/cairn.1.gz", "share/man/man7/cairn-filters.7.gz",
      "share/bash-completion/completions/cairn",
    ] { #expect(FileManager.default.fileExists(atPath: prefix + "/" + path), "\(path)") }
    #expect(try Shell.run("bash", install, "--remove", prefix).status == 0)
    let left = try Shell.run("find", prefix, "-type", "f").text
    #expect(left == other + "\n")
  }
}
