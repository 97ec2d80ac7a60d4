import Foundation
import Synchronization
import Testing

@testable import Cairn

/// A store whose projections are lost where none can be made, as on a disk that is read only.
@Suite struct MissingProjectionTests {
  @Test func `verify tells of the projections, and of no damage of the log`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await store.append([index("a", title: "one"), index("b", title: "two")])
      store.close()
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where name == "CURRENT" || name.hasPrefix("view-") {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
      }
      let reader = try Store.openAsIs(at: path)
      defer { reader.close() }
      let refusal = CairnError(.readOnly, "may not be written", place: "log.mdb")
      reader.foldFailure.withLock { $0 = refusal }
      let found = try reader.verify()
      #expect(found.treeSize == 2 && found.eventCount == 2)
      #expect(found.problems.map(\.place) == ["CURRENT"])
      #expect(found.problems.first?.message.hasSuffix(refusal.description) == true)
    }
  }
}
