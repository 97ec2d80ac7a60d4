import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// What other processes, dying processes and file systems do to a store.
@Suite struct ProcessTests {
  let scratch = TestDirectory()

  @Test func `a writer killed in its transaction loses that one and no other`() async throws {
    let path = scratch.file("data.mdb")
    let environment = try scratch.environment()
    for round in 1...3 as ClosedRange<UInt8> {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, round = round as UInt8] in
        let writer = try Environment.open(path, .init(tables: ["rows"]))
        try writer.put([round], [round])
        try writer.write { (txn) throws(CairnError) in
          for key in 0...255 as ClosedRange<UInt8> {
            try txn.put(writer["rows"], [100, key], [key])
          }
          kill(getpid(), SIGKILL)
        }
      }
      // This process has held the file open all along: the lock is taken over, not reset.
      #expect(try environment.count() == Int(round))
      #expect(try environment.value([round]) == [round])
    }
    try environment.put([50], [50])
    try environment.checkStructure()
    #expect(try environment.count() == 4)
  }

  @Test func `slots of killed readers are taken back`() async throws {
    let path = scratch.file("data.mdb")
    try scratch.environment().put([1], [1])
    for _ in 0..<3 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let reader = try Environment.open(path, .init(access: .readOnly, tables: ["rows"]))
        try reader.read { (_) throws(CairnError) in _ = kill(getpid(), SIGKILL) }
      }
    }
    let environment = try scratch.environment()
    for key in 0..<200 as Range<UInt8> {
      try environment.put([key], [UInt8](repeating: key, count: 1_500))
    }
    let before = environment.byteCount
    for key in 0..<200 as Range<UInt8> {
      try environment.put([key], [UInt8](repeating: 0, count: 1_500))
    }
    // A dead reader's view would keep every replaced page from being used again.
    #expect(environment.byteCount < before * 2)
  }

  @Test func `a child of fork cannot use the store, and leaves the parent's alone`() throws {
    typealias Fork = @convention(c) () -> pid_t
    // Swift hides `fork`; the C library has it all the same.
    let symbol = unsafe unsafeBitCast(dlsym(nil, "fork"), to: Fork?.self)
    let fork = try #require(symbol)
    let environment = try scratch.environment()
    try environment.put([1], [1])
    let child = fork()
    if child == 0 {
      do {
        _ = try environment.value([1])
        _exit(1)
      } catch { _exit(error.code == .badArgument ? 0 : 2) }
    }
    var status: CInt = -1
    let waited = unsafe waitpid(child, &status, 0)
    #expect(waited == child)
    #expect(status == 0)
    try environment.put([2], [2])
    #expect(try environment.count() == 2)
  }

  @Test(.enabled(if: SmallDisk.isAllowed, "needs the right to mount"))
  func `a full disk is an error, and what was committed stays`() throws {
    let disk = scratch.file("disk")
    #expect(SmallDisk.mount(disk, byteCount: 1 << 20))
    defer { #expect(SmallDisk.unmount(disk)) }
    let path = disk + "/data.mdb"
    let environment = try Environment.open(
      path, .init(tables: ["rows"], mapByteCount: 1 << 30, create: true))
    var stored = 0
    let failure = expectError(.diskFull) {
      for key in 0..<UInt16.max {
        try environment.put(
          [UInt8(key >> 8), UInt8(key & 255)], [UInt8](repeating: 1, count: 1_500))
        stored += 1
      }
    }
    #expect(failure?.message.contains("space") == true)
    #expect(stored > 100)
    #expect(try environment.count() == stored)
    try environment.checkStructure()
    environment.close()
    let again = try Environment.open(path, .init(tables: ["rows"]))
    #expect(try again.count() == stored)
    // Giving rows up makes room again.
    try again.write { (txn) throws(CairnError) in try txn.removeAll(again["rows"]) }
    try again.put([1], [1])
    #expect(try again.count() == 1)
    again.close()
  }

  @Test(
    .enabled(if: SmallDisk.isAllowed, "needs the right to mount"), arguments: [true, false])
  func `a store on a read-only file system can be read`(hasLockFile: Bool) throws {
    let disk = scratch.file("disk")
    #expect(SmallDisk.mount(disk, byteCount: 1 << 22))
    defer { #expect(SmallDisk.unmount(disk)) }
    let path = disk + "/data.mdb"
    let writer = try Environment.open(path, .init(tables: ["rows"], create: true))
    try writer.put([1], [1])
    writer.close()
    if !hasLockFile { try FileManager.default.removeItem(atPath: path + "-lock") }
    #expect(SmallDisk.makeReadOnly(disk))
    let before = try FileManager.default.contentsOfDirectory(atPath: disk)
    let reader = try Environment.open(path, .init(access: .readOnly, tables: ["rows"]))
    #expect(try reader.value([1]) == [1])
    reader.close()
    expectError(.readOnly) {
      try Environment.open(path, .init(tables: ["rows"]))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == before)
  }
}

extension ProcessTests {
  @Test(.enabled(if: SmallDisk.isAllowed, "needs the right to mount"))
  func `opening on a full disk is an error, with or without a lock file`() throws {
    let disk = scratch.file("disk")
    #expect(SmallDisk.mount(disk, byteCount: 1 << 20))
    defer { #expect(SmallDisk.unmount(disk)) }
    let path = disk + "/data.mdb"
    let environment = try Environment.open(path, .init(tables: ["rows"], create: true))
    try environment.put([1], [1])
    environment.close()
    try Data().write(to: URL(filePath: disk + "/filler"))
    let filler = try #require(FileHandle(forWritingAtPath: disk + "/filler"))
    while (try? filler.write(contentsOf: Data(count: 4_096))) != nil {}
    let again = try Environment.open(path, .init(tables: ["rows"]))
    #expect(try again.value([1]) == [1])
    again.close()
    try FileManager.default.removeItem(atPath: path + "-lock")
    try filler.seekToEnd()
    while (try? filler.write(contentsOf: Data(count: 4_096))) != nil {}
    expectError(.diskFull) {
      try Environment.open(path, .init(tables: ["rows"]))
    }
  }

  @Test(.enabled(if: SmallDisk.isAllowed, "needs the right to mount"))
  func `a store in use is not read without its lock file`() async throws {
    let disk = scratch.file("disk")
    #expect(SmallDisk.mount(disk, byteCount: 1 << 22))
    defer { #expect(SmallDisk.unmount(disk)) }
    let path = disk + "/data.mdb"
    let environment = try Environment.open(path, .init(tables: ["rows"], create: true))
    try environment.put([1], [1])
    // Another process, which sees the file system as read-only.
    await #expect(processExitsWith: .success) { [path = path as String] in
      // CLONE_NEWNS, MS_REC | MS_PRIVATE, MS_REMOUNT | MS_BIND | MS_RDONLY
      let mountPoint = String(path.dropLast("/data.mdb".count))
      typealias Unshare = @convention(c) (CInt) -> CInt
      let symbol = unsafe unsafeBitCast(dlsym(nil, "unshare"), to: Unshare?.self)
      let unshare = try #require(symbol)
      var status = unshare(0x20000)
      try #require(status == 0)
      status = unsafe mount("none", "/", nil, 16_384 | 1 << 18, nil)
      try #require(status == 0)
      status = unsafe mount("none", mountPoint, nil, 32 | 4_096 | 1, nil)
      try #require(status == 0)
      expectError(.busy) {
        try Environment.open(path, .init(access: .readOnly, tables: ["rows"]))
      }
    }
    environment.close()
  }

  @Test func `a file renamed over one in use is refused while the lock file is the old one's`()
    async throws
  {
    let path = scratch.file("data.mdb")
    let old = try scratch.environment()
    for key in 0..<20 as Range<UInt8> { try old.put([key], [1]) }
    let new = try scratch.environment("new.mdb")
    try new.put([1], [2])
    new.close()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: scratch.file("new.mdb"), toPath: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      expectError(.busy) {
        try Environment.open(path, .init(tables: ["rows"]))
      }
    }
    old.close()
    #expect(try scratch.environment().value([1]) == [2])
  }

  @Test func `the map is made smaller where address space is short`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 16 << 30, rlim_max: 16 << 30)
      let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      try #require(status == 0)
      let environment = try TestDirectory().environment(mapByteCount: 1 << 40)
      try environment.put([1], [1])
      #expect(environment.mapByteCount < 16 << 30)
      #expect(environment.mapByteCount >= 1 << 30)
    }
  }
}
