import EventLog
import Events
import LMDB
import TestSupport
import Testing

@Suite struct DiskFullTests {
  @Test(.enabled(if: SmallDisk.isAllowed, "needs the right to mount"), .timeLimit(.minutes(5)))
  func `a full disk is an error that keeps what was acknowledged, and room makes it go on`() throws
  {
    let scratch = Scratch()
    let disk = "\(scratch.path)/disk"
    #expect(SmallDisk.mount(disk, byteCount: 1 << 20))
    defer { _ = SmallDisk.unmount(disk) }
    let log = try EventLog.open(
      directory: "\(disk)/store", access: .readWrite, create: true,
      writer: WriterThread(name: "full"))
    var acknowledged: UInt64 = 0
    var failure: CairnError?
    while failure == nil {
      do throws(CairnError) {
        let event = EncodedEvent(kind: .view, payload: [UInt8](repeating: 1, count: 900))
        let receipt = try log.append(Array(repeating: event, count: 20))
        acknowledged = receipt.last ?? acknowledged
      } catch { failure = error }
    }
    #expect(failure?.code == .diskFull)
    #expect(acknowledged > 0)
    #expect(try log.head().sequence == acknowledged)
    #expect(try log.verify().problems == [])
    #expect(SmallDisk.resize(disk, byteCount: 8 << 20))
    #expect(try log.append([.view("room again")]).first == acknowledged + 1)
    #expect(try log.verify().problems == [])
    log.close()
  }
}
