import Foundation
import LMDB
import Testing

/// Write transactions that stay open.
@Suite struct UncommittedTests {
  private static let table: TableName = "rows"

  /// An environment whose writer lends its turn, and the thread that keeps its transaction open.
  private struct Setting {
    let environment: Environment
    let keeper = WriterThread(name: "keeper")

    init(_ directory: String) throws {
      environment = try Environment.open(
        directory + "/view.mdb",
        Environment.Configuration(
          durability: .deferred, tables: [UncommittedTests.table],
          writer: WriterThread(name: "writer", lendsTurn: true), create: true))
    }

    var table: Table { environment[UncommittedTests.table] }
  }

  private static func put(_ setting: Setting, _ key: String, fails: Bool = false)
    throws(StorageError)
  {
    try setting.keeper.run { () throws(StorageError) in
      try setting.environment.writeUncommitted(on: setting.keeper, changeCount: 1, onEnd: { _ in })
      { (txn) throws(StorageError) in
        try txn.put(setting.table, Array(key.utf8), [1])
        if fails { throw StorageError(.internal, "on purpose") }
      }
    }
  }

  private static func count(_ setting: Setting) throws -> Int {
    try setting.environment.readUncommitted { (txn) throws(StorageError) in
      try txn.count(setting.table)
    }
  }

  @Test func `changes show at once to who asks for them, and stay uncommitted`() throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    for number in 0..<10 {
      try Self.put(setting, "row \(number)")
      #expect(setting.environment.isUncommitted)
      #expect(try Self.count(setting) == number + 1)
    }
    #expect(setting.environment.isUncommitted)
  }

  @Test func `whatever else is done with the file finds the changes in it`() throws {
    let uses: [(Environment) throws -> Void] = [
      { _ = try $0.read { (txn) throws(StorageError) in txn.snapshot } },
      { try $0.write { (txn: inout WriteTransaction) throws(StorageError) in } }, { try $0.sync() },
      { _ = try $0.residueByteCount() }, { try $0.checkStructure() }, { try $0.reopen() },
      { $0.commitUncommitted() },
    ]
    for use in uses {
      let scratch = ScratchDirectory()
      let setting = try Setting(scratch.path)
      try Self.put(setting, "row")
      try use(setting.environment)
      #expect(!setting.environment.isUncommitted)
      let count = try setting.environment.read { (txn) throws(StorageError) in
        try txn.count(setting.table)
      }
      #expect(count == 1)
    }
  }

  @Test func `closing commits`() throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    try Self.put(setting, "row")
    setting.environment.close()
    let again = try Setting(scratch.path)
    #expect(try Self.count(again) == 1)
  }

  @Test func `a change that fails undoes what is open and nothing before it`() throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    try Self.put(setting, "kept")
    setting.environment.commitUncommitted()
    try Self.put(setting, "lost")
    #expect(throws: StorageError.self) { try Self.put(setting, "bad", fails: true) }
    #expect(!setting.environment.isUncommitted)
    #expect(try Self.count(setting) == 1)
    try Self.put(setting, "after")
    #expect(try Self.count(setting) == 2)
  }

  @Test func `the writer's turn is given back as soon as somebody wants it`() throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    for number in 0..<200 {
      try Self.put(setting, "row \(number)")
      // From another thread, and from the keeper itself.
      if number % 2 == 0 {
        try setting.environment.configuration.writer?.run { () throws(StorageError) in }
      } else {
        try setting.keeper.run { () throws(StorageError) in
          setting.environment.configuration.writer?.submit {}
        }
      }
    }
    #expect(try Self.count(setting) == 200)
  }

  @Test func `a pause commits, and so do many changes`() throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    try Self.put(setting, "row")
    while setting.environment.isUncommitted { usleep(1_000) }
    for number in 0..<Limits.uncommittedChangeCountMax - 1 {
      try Self.put(setting, "more \(number)")
    }
    try Self.put(setting, "last")
    while setting.environment.isUncommitted { usleep(1_000) }
    #expect(try Self.count(setting) == Limits.uncommittedChangeCountMax + 1)
  }

  @Test func `questions alone do not put the commit off`() throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    try Self.put(setting, "row")
    while setting.environment.isUncommitted { #expect(try Self.count(setting) == 1) }
  }

  @Test func `many threads change, ask and write, and nothing is lost`() async throws {
    let scratch = ScratchDirectory()
    let setting = try Setting(scratch.path)
    let environment = setting.environment
    let (keeper, table) = (setting.keeper, setting.table)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<200 {
            let key = Array("\(thread)-\(number)".utf8)
            if number % 5 == 4 {
              try environment.write { (txn: inout WriteTransaction) throws(StorageError) in
                try txn.put(table, key, [1])
              }
            } else {
              try keeper.run { () throws(StorageError) in
                try environment.writeUncommitted(on: keeper, changeCount: 1, onEnd: { _ in }) {
                  (txn) throws(StorageError) in try txn.put(table, key, [1])
                }
              }
            }
            let isThere = try environment.readUncommitted { (txn) throws(StorageError) in
              try txn.contains(table, key.rawSpan)
            }
            #expect(isThere)
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try environment.read { (txn) throws(StorageError) in try txn.count(table) }
    #expect(count == 1_600)
  }

  @Test func `a process killed in an open transaction leaves what was committed and the lock`()
    async throws
  {
    let scratch = ScratchDirectory()
    let path = scratch.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let setting = try Setting(path)
      try UncommittedTests.put(setting, "kept")
      setting.environment.commitUncommitted()
      try UncommittedTests.put(setting, "lost")
      kill(getpid(), SIGKILL)
    }
    let setting = try Setting(scratch.path)
    #expect(try Self.count(setting) == 1)
    try Self.put(setting, "after")
    #expect(try Self.count(setting) == 2)
  }
}
