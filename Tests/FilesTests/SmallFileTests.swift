import Glibc
import TestSupport
import Testing
import Values

@testable import Files

struct SmallFileTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    try TestDirectory.with { directory in
      try FileBytes.makeDirectory(directory + "/a/b")
      try body(directory)
    }
  }

  @Test func `the directory of a path below the root is the root`() {
    #expect(SmallFile.directory(of: "/log.mdb") == "/")
    #expect(SmallFile.directory(of: "log.mdb") == ".")
    #expect(SmallFile.directory(of: "/a/b/log.mdb") == "/a/b")
  }

  @Test func `a name that begins with an accent lies in its folder, too`() throws {
    #expect(SmallFile.directory(of: "/a/\u{301}b") == "/a")
    #expect(SmallFile.name(of: "/a/\u{301}b") == "\u{301}b")
    try withDirectory { directory in
      try FileBytes.write([1], to: "\(directory)/c/\u{301}d/\u{301}e/f")
      #expect(try FileBytes.names(in: "\(directory)/c/\u{301}d") == ["\u{301}e"])
    }
  }

  @Test(arguments: ["p/q", "p/q/", "p//q//"])
  func `a private folder is its owner's alone, however its path ends`(path: String) throws {
    try withDirectory { directory in
      try FileBytes.makeDirectory("\(directory)/\(path)", isPrivate: true)
      var status = stat()
      #expect(unsafe stat("\(directory)/p/q", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
  }

  @Test func `a file that is replaced has the new text and leaves nothing beside it`() throws {
    try withDirectory { directory in
      for text in ["", "one\n", String(repeating: "x", count: 65_535)] {
        try SmallFile.replace("\(directory)/f", with: text)
        #expect(try SmallFile.read("\(directory)/f") == text)
        #expect(try Set(SmallFile.names(in: directory)) == ["a", "f"])
      }
      try SmallFile.replace("\(directory)/f", with: String(repeating: "x", count: 65_536))
      #expect(throws: CairnError.self) { try SmallFile.read("\(directory)/f") }
    }
  }

  @Test func `a replacement that fails leaves the old text and no temporary file`() throws {
    try withDirectory { directory in
      // A directory cannot be replaced by a file.
      let error = #expect(throws: CairnError.self) {
        try SmallFile.replace("\(directory)/a", with: "x")
      }
      #expect(error?.code == .io)
      let names = try SmallFile.names(in: directory)
      #expect(names == ["a"])
    }
  }

  @Test func `a file goes with what a kill left of its replacing`() throws {
    try withDirectory { directory in
      for name in ["f", "f.new", "f.newer"] {
        try SmallFile.replace("\(directory)/\(name)", with: "x")
      }
      try SmallFile.removeReplaced("\(directory)/f")
      #expect(try Set(SmallFile.names(in: directory)) == ["a", "f.newer"])
      try SmallFile.removeReplaced("\(directory)/f")
    }
  }

  @Test func `a pipe that nobody writes is no file, and nobody waits for it`() throws {
    try withDirectory { directory in
      try #require(unsafe mkfifo("\(directory)/f", 0o600) == 0)
      for name in ["f", "."] {
        let error = #expect(throws: CairnError.self) { try SmallFile.read("\(directory)/\(name)") }
        #expect(error?.code == .corrupt && error?.place == name)
      }
    }
  }

  @Test func `what is no directory cannot be listed`() throws {
    try withDirectory { directory in
      try SmallFile.replace("\(directory)/f", with: "x")
      #expect(throws: CairnError.self) { try SmallFile.names(in: "\(directory)/f") }
      #expect(throws: CairnError.self) { try FileBytes.names(in: "\(directory)/f") }
      #expect(try FileBytes.names(in: "\(directory)/none") == nil)
    }
  }

  @Test func `bytes are written whole, in directories that are made`() throws {
    try withDirectory { directory in
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try FileBytes.write(bytes, to: "\(directory)/c/d/e")
      try FileBytes.flush(fileSystemOf: directory)
      #expect(try FileBytes.read("\(directory)/c/d/e", limit: bytes.count) == bytes)
      #expect(throws: CairnError.self) {
        try FileBytes.read("\(directory)/c/d/e", limit: bytes.count - 1)
      }
      #expect(try FileBytes.read("\(directory)/c/none", limit: 1) == nil)
    }
  }

  @Test func `a range is read from and written to an offset`() throws {
    try withDirectory { directory in
      let file = try OpenFile("\(directory)/f", O_RDWR | O_CREAT)
      try file.write([1, 2, 3, 4].rawSpan, at: 10)
      var buffer = [UInt8](repeating: 9, count: 6)
      let count = try file.read(into: &buffer, 1..<6, at: 11)
      #expect(count == 3)
      #expect(buffer == [9, 2, 3, 4, 9, 9])
    }
  }
}
