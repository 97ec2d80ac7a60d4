import Foundation
import TestSupport
import Testing

@Suite struct VersionTests {
  @Test func `the version names the build and every format`() throws {
    let text = try Shell.run(Store.binary, "--version").text
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.wholeMatch(of: /cairn \d+\.\d+\.\d+( \(commit \S+\))?/) != nil, "\(text)")
    for name in ["log", "checkpoint", "catalog", "text", "ranking", "timeline", "columns"] {
      #expect(lines.last?.contains(" \(name) ") == true, "\(text)")
    }
    #expect(try Shell.run(Store.binary, "version").text == text)
    #expect(try Shell.run(Store.binary, "help", "version").text == text)
  }

  @Test(.enabled(if: Self.hasPython, "SKIPPED: needs python3"))
  func `the manual pages are the help`() throws {
    let folder = Scratch.path("man")
    let made = try Shell.run(
      "python3", Checkout.root.appending(path: "Tools/manuals.py").path, Store.binary, folder)
    try #require(made.status == 0, "\(made.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/man1")
    for name in ["cairn", "cairn-find", "cairn-snapshot-create", "cairn-import-web"] {
      #expect(names.contains("\(name).1.gz"), "\(names)")
    }
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder + "/man7")
    for name in ["filters", "times", "points", "schemas"] {
      #expect(pages.contains("cairn-\(name).7.gz"), "\(pages)")
    }
    let text = try Shell.run("gzip", "-dc", folder + "/man1/cairn-search.1.gz").text
    #expect(text.contains(#"\fB\-\-limit\fR"#) || text.contains(#"\fB\-n\fR"#), "\(text)")
    #expect(
      text.contains(#".SH NAME"#) && text.contains(#"cairn\-search \- Find items by their words"#))
    let view = try Shell.run("gzip", "-dc", folder + "/man1/cairn-view.1.gz").text
    #expect(view.contains("One of: redirect, reload, embed, auto."), "\(view)")
    let log = try Shell.run("gzip", "-dc", folder + "/man1/cairn-log.1.gz").text
    #expect(log.contains("Only events of this kind. One of: index, update,"), "\(log)")
    #expect(try Shell.run("gzip", "-dcf", folder + "/man1/cairn-history.1.gz").text == log)
    let usage = try Shell.run("gzip", "-dc", folder + "/man1/cairn-import.1.gz").text
    #expect(usage.contains("cairn import [FORMAT] PATH ...") && !usage.contains("[\\fIoptions"))
    let files = try Shell.run("gzip", "-dc", folder + "/man1/cairn-append.1.gz").text
    #expect(files.contains(#"[\fIfiles\fR ...]"#), "\(files)")
    let filters = try Shell.run("gzip", "-dc", folder + "/man7/cairn-filters.7.gz").text
    #expect(filters.contains("pageCount > 300"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/man") else { return }
    let warned = try Shell.run(
      "/bin/sh", "-c",
      "for f in '\(folder)'/man?/*.gz; do man --warnings -l \"$f\" >/dev/null; done")
    #expect(warned.errors.isEmpty, "\(warned.errors)")
  }

  static var hasPython: Bool {
    ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
