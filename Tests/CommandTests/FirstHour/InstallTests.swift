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

  @Test func `has units with whole paths, whatever the prefix is written like`() throws {
    let folder = Scratch.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let install = Checkout.root.appending(path: "Tools/install").path
    let script = "cd '\(folder)' && bash '\(install)' '\(Store.binary)'"
    #expect(try Shell.run("bash", "-c", script + " 'a&b 5%'").status == 0)
    let unit = try String(
      contentsOfFile: folder + "/a&b 5%/share/systemd/user/cairn.service", encoding: .utf8)
    #expect(unit.contains(#"ExecStart=\#(folder)/a&b\x205%%/bin/cairn serve"#), "\(unit)")
    let staged = "DESTDIR=stage; export DESTDIR; \(script) stage/usr"
    #expect(try Shell.run("bash", "-c", staged).status == 0)
    let other = try String(
      contentsOfFile: folder + "/stage/usr/share/systemd/user/cairn-watch.service", encoding: .utf8)
    #expect(other.contains("ExecStart=/usr/bin/cairn watch"), "\(other)")
    // Zsh and dash give make the tilde as it stands.
    let refused = try Shell.run("bash", "-c", script + " '~/.local'")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("write $HOME"), "\(refused.errors)")
  }
}
