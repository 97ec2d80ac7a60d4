import EventLog
import Events
import Foundation
import Glibc
import LMDB
import Testing

@Suite struct DiskFullTests {
  private static func run(_ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Whether this user may mount, which containers often forbid.
  static let mayMount: Bool = {
    let path = "\(NSTemporaryDirectory())/eventlog-mount-\(getpid())"
    guard run(["mkdir", "-p", path]) else { return false }
    defer { _ = run(["rmdir", path]) }
    guard run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path]) else { return false }
    return run(["umount", path])
  }()

  @Test(.enabled(if: mayMount, "needs the right to mount"), .timeLimit(.minutes(1)))
  func `a full disk is an error that keeps what was acknowledged, and room makes it go on`() throws
  {
    let scratch = try Scratch()
    let disk = "\(scratch.path)/disk"
    #expect(Self.run(["mkdir", disk]))
    #expect(Self.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]))
    defer { _ = Self.run(["umount", "-l", disk]) }
    let log = try EventLog.open(
      directory: "\(disk)/store",
      access: .readWrite,
      create: true,
      writer: WriterThread(name: "full")
    )
    var acknowledged: UInt64 = 0
    var failure: StorageError?
    while failure == nil {
      do throws(StorageError) {
        let event = EncodedEvent(kind: .view, payload: [UInt8](repeating: 1, count: 900))
        let receipt = try log.append(Array(repeating: event, count: 20))
        acknowledged = receipt.last ?? acknowledged
      } catch {
        failure = error
      }
    }
    #expect(failure?.code == .diskFull)
    #expect(acknowledged > 0)
    #expect(try log.head().sequence == acknowledged)
    #expect(try log.verify().problems == [])
    #expect(Self.run(["mount", "-o", "remount,size=8m", disk]))
    #expect(try log.append([.view("room again")]).first == acknowledged + 1)
    #expect(try log.verify().problems == [])
    log.close()
  }
}
