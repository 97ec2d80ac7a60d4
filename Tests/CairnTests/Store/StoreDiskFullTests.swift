import Cairn
import EventLog
import Foundation
import Glibc
import LMDB
import TestSupport
import Testing

/// A disk that is full at each step of what rewrites files: it is done whole, or not at all and
/// said so, and with room it is done after all.
@Suite(.enabled(if: SmallDisk.isAllowed, "needs the right to mount"), .serialized)
struct StoreDiskFullTests {
  private static let canary = "kanarienvogel"
  /// Bytes by which the room grows from try to try: eight pages.
  private static let step = 32_768

  private static func usedByteCount(of disk: String) -> Int {
    var status = statvfs()
    guard unsafe statvfs(disk, &status) == 0 else { return 0 }
    return Int((status.f_blocks - status.f_bfree) * status.f_frsize)
  }

  private static func setRoom(_ disk: String, _ byteCount: Int) {
    #expect(SmallDisk.resize(disk, byteCount: byteCount))
  }

  private static func events() -> [Event] {
    (0..<120).flatMap { number in
      let word = number % 3 == 0 ? canary : "plain"
      return [
        index("\(word) \(number)", title: "\(word) title \(number)", domain: word),
        view("\(word) \(number)", at: 1_700_000_000 + Int64(number)),
      ]
    }
  }

  /// Does `work` with ever more room, a fresh store each time, until it succeeds at once.
  ///
  /// `check` is called after each failure, with the store reopened and room enough.
  private static func fillUp(
    _ work: (Store, _ disk: String) throws -> Void, check: (Store, _ disk: String) throws -> Void
  ) async throws {
    try await withDirectory { directory in
      let disk = directory + "/disk"
      var failures = 0
      for room in 0..<400 {
        #expect(SmallDisk.mount(disk, byteCount: 64 << 20))
        defer { #expect(SmallDisk.unmount(disk)) }
        var store = try Store.open(at: disk + "/store")
        try await store.append(events())
        try store.createSnapshot("before")
        let before = try store.at().items().map(\.id)
        setRoom(disk, usedByteCount(of: disk) + room * step)
        do {
          try work(store, disk)
          store.close()
          #expect(failures > 0, "the disk was never full")
          return
        } catch let error as CairnError {
          failures += 1
          #expect(error.code == .diskFull, "\(error) with \(room) steps of room")
          #expect(error.message.contains("full") || error.message.contains("space"), "\(error)")
        }
        // What was there can still be read, all of it or what a purge left, without room.
        let left = try store.at().items().map(\.id)
        #expect(left == before || !left.contains { $0.contains(canary) })
        store.close()
        setRoom(disk, 64 << 20)
        store = try Store.open(at: disk + "/store")
        #expect(try store.verify(deep: true).problems == [], "\(room) steps of room")
        try check(store, disk)
        #expect(try store.verify(deep: true).problems == [], "\(room) steps of room")
        store.close()
      }
      Issue.record("there was never room enough")
    }
  }

  @Test func `a purge is done whole or not at all, and then done`() async throws {
    try await Self.fillUp { (store, _) throws in
      _ = try store.purge(.domain(Self.canary))
    } check: { (store, disk) throws in
      let receipt = try store.purge(.domain(Self.canary))
      #expect(receipt?.isComplete == true)
      #expect(receipt?.residueByteCount == 0)
      #expect(try store.at().items().count == 80)
      for name in try FileManager.default.contentsOfDirectory(atPath: disk + "/store") {
        let bytes = FileManager.default.contents(atPath: "\(disk)/store/\(name)") ?? Data()
        #expect(bytes.range(of: Data(Self.canary.utf8)) == nil, "\(name)")
      }
    }
  }

  @Test func `an append that searches have no room for is kept, told, and folded later`()
    async throws
  {
    try await withDirectory { directory in
      let (disk, path) = (directory + "/disk", directory + "/store")
      #expect(SmallDisk.mount(disk, byteCount: 64 << 20))
      defer { #expect(SmallDisk.unmount(disk)) }
      var store = try Store.open(at: path)
      try await store.append(Self.events())
      store.close()
      let file = "view-1.mdb"
      try FileManager.default.moveItem(atPath: "\(path)/\(file)", toPath: "\(disk)/\(file)")
      try FileManager.default.createSymbolicLink(
        atPath: "\(path)/\(file)", withDestinationPath: "\(disk)/\(file)")
      store = try Store.open(at: path)
      #expect(store.projectionFailure == nil)
      Self.setRoom(disk, Self.usedByteCount(of: disk) + Self.step)
      var head = try store.at().sequence
      while store.projectionFailure == nil, head < 20_000 {
        let result = try await store.append(Self.events())
        #expect(result.projectionFailure?.code == store.projectionFailure?.code)
        head = try #require(result.lastSequence)
      }
      #expect(store.projectionFailure?.code == .diskFull)
      #expect(try store.at().statistics().head == head && store.verify().treeSize == head)
      #expect(try store.event(at: head) != nil)
      #expect(try store.at().statistics().projections.contains { $0.lag > 0 })
      Self.setRoom(disk, 64 << 20)
      let result = try await store.append([view("plain 1", at: 1_700_001_000)])
      #expect(result.projectionFailure == nil && store.projectionFailure == nil)
      #expect(try store.at().statistics().projections.allSatisfy { $0.lag == 0 })
      #expect(try store.verify(deep: true).problems == [])
      store.close()
    }
  }

  @Test func `what is acknowledged on a full disk is visible, or the answer says that it is not`()
    async throws
  {
    try await withDirectory { directory in
      let (disk, path) = (directory + "/disk", directory + "/disk/store")
      for trial in 0..<8 {
        #expect(SmallDisk.mount(disk, byteCount: 64 << 20))
        defer { #expect(SmallDisk.unmount(disk)) }
        var store = try Store.open(at: path)
        var last = try #require(try await store.append(Self.events()).lastSequence)
        let signed = try store.checkpoint()
        Self.setRoom(disk, Self.usedByteCount(of: disk) + 4 * Self.step + trial * 12_288)
        do throws(CairnError) {
          while last < 20_000 {
            let result = try await store.append(Self.events())
            last = result.lastSequence ?? last
            let visible = try store.at().sequence
            #expect((visible == last) == (result.projectionFailure == nil), "trial \(trial)")
          }
          Issue.record("the disk was never full")
        } catch { #expect(error.code == .diskFull, "trial \(trial)") }
        for access in [Store.Access.readWrite, .readOnly] {
          if access == .readOnly {
            store.close()
            store = try Store.open(at: path, access: access)
          }
          let statistics = try store.at().statistics()
          let verification = try store.verify()
          #expect(statistics.head == last, "trial \(trial), \(access)")
          #expect(verification.treeSize == last, "trial \(trial), \(access)")
          #expect(verification.problems == [], "trial \(trial), \(access)")
          var views = EventQuery()
          views.kind = .view
          #expect(try store.events(views).count == Int(last) / 2, "trial \(trial), \(access)")
          views.isReversed = true
          #expect(try store.events(views).first?.sequence == last, "trial \(trial), \(access)")
          guard access == .readWrite else { continue }
          #expect(try store.checkpoint().size >= signed.size, "trial \(trial)")
        }
        store.close()
        Self.setRoom(disk, 64 << 20)
        store = try Store.open(at: path)
        #expect(try store.at().sequence == last)
        #expect(try store.verify(deep: true).problems == [], "trial \(trial)")
        store.close()
      }
    }
  }

  @Test func `events that the disk has no room to fold do not keep others from being read`()
    async throws
  {
    try await withDirectory { directory in
      let (disk, path) = (directory + "/disk", directory + "/disk/store")
      #expect(SmallDisk.mount(disk, byteCount: 64 << 20))
      defer { #expect(SmallDisk.unmount(disk)) }
      var store = try Store.open(at: path)
      let folded = try #require(try await store.append(Self.events()).lastSequence)
      store.close()
      // The log alone goes on, as when a process is killed between commit and fold.
      let log = try EventLog.open(
        directory: path, access: .readWrite, create: false, writer: WriterThread(name: "late"))
      for number in 0..<40 {
        let text = String(repeating: "word\(number) ", count: 2_000)
        let event = Event(kind: .index, item: "late", attributes: ["textContent": .string(text)])
        _ = try await log.append([event.encoded()])
      }
      let head = try log.head().sequence
      log.close()
      Self.setRoom(disk, Self.usedByteCount(of: disk))
      store = try Store.open(at: path, access: .readOnly)
      #expect(store.projectionFailure?.code == .diskFull)
      #expect(try store.at().sequence == folded && store.at().items().count == 120)
      #expect(try store.event(at: head) != nil)
      // A point that only the log has is answered by no other one.
      let recorded = try #require(try store.event(at: head)?.event.recorded)
      for point in [Point.sequence(folded + 1), .sequence(head), .time(recorded)] {
        expectError(.diskFull) { try store.at(point) }
      }
      let error = expectError(.diskFull) { try store.at("head~1") }
      #expect(error?.message.contains("not yet in projections: ") == true)
      expectError(.noSuchPoint) { try store.at(.sequence(head + 1)) }
      #expect(try store.at(.sequence(folded)).items().count == 120)
      // What is asked of the log alone is there.
      let lasts: [(Point, UInt64)] = [
        (.head, head), (.time(recorded), head), (.sequence(folded + 1), folded + 1),
      ]
      for (point, last) in lasts { #expect(try store.lastSequence(at: point) == last) }
      expectError(.noSuchPoint) { try store.lastSequence(at: .sequence(head + 1)) }
      store.close()
      // Where nothing was folded there is no answer, and not an empty one.
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where name.hasPrefix("view-") || name == "CURRENT" {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
      }
      Self.setRoom(disk, Self.usedByteCount(of: disk))
      store = try Store.open(at: path, access: .readOnly)
      expectError(.diskFull) { try store.at() }
      store.close()
      Self.setRoom(disk, 64 << 20)
      store = try Store.open(at: path, access: .readOnly)
      #expect(store.projectionFailure == nil)
      #expect(try store.at().sequence == head && store.verify(deep: true).problems == [])
      store.close()
    }
  }

  @Test func `a rebuild leaves the old projections serving, and is then done`() async throws {
    try await Self.fillUp { (store, _) throws in
      try store.rebuild()
    } check: { (store, _) throws in
      #expect(try !store.rebuildStatus().isRunning)
      #expect(try #require(try store.rebuild()).allSatisfy(\.isEqual))
      #expect(try store.at().items().count == 120)
    }
  }

  @Test func `half a backup is none, and a whole one is then made`() async throws {
    try await Self.fillUp { (store, disk) throws in
      _ = try store.backUp(into: disk + "/backup")
    } check: { (store, disk) throws in
      try? FileManager.default.removeItem(atPath: disk + "/backup")
      #expect(try store.backUp(into: disk + "/backup").sequence == 240)
    }
  }

  @Test func `a store whose disk is full is backed up and restored on another one`() async throws {
    try await withDirectory { directory in
      let disk = directory + "/disk"
      #expect(SmallDisk.mount(disk, byteCount: 64 << 20))
      defer { #expect(SmallDisk.unmount(disk)) }
      let store = try Store.open(at: disk + "/store")
      try await store.append(Self.events())
      Self.setRoom(disk, Self.usedByteCount(of: disk))
      let backup = try store.backUp(into: directory + "/backup")
      let restored = try Store.restore(
        directory + "/backup", into: directory + "/restored", original: store)
      #expect(backup.sequence == 240 && restored.rootHash == backup.rootHash)
      #expect(try store.knownCopies() == [] && !backup.isNoted && !restored.isNoted)
      store.close()
    }
  }

  @Test func `half a restore is no store, and a whole one is then made`() async throws {
    try await Self.fillUp { (store, disk) throws in
      // Kept beside the disk: only the restored store is to run out of room.
      let backup = disk + "/../backup"
      try? FileManager.default.removeItem(atPath: backup)
      _ = try store.backUp(into: backup)
      _ = try Store.restore(backup, into: disk + "/restored")
    } check: { (_, disk) throws in
      try? FileManager.default.removeItem(atPath: disk + "/restored")
      _ = try Store.restore(disk + "/../backup", into: disk + "/restored")
      let restored = try Store.open(at: disk + "/restored")
      defer { restored.close() }
      #expect(try restored.at().items().count == 120)
    }
  }
}
