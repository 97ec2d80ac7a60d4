import Foundation
import Synchronization
import Testing

@testable import Cairn

/// A store whose projections are lost: under an open one, and where none can be made, as on a disk
/// that is read only.
@Suite struct MissingProjectionTests {
  private static func removeProjections(of path: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name == "CURRENT" || name.hasPrefix("view-") {
      try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  @Test func `what is open answers on, and sees what others write to those made anew`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      defer { store.close() }
      try await store.append([index("a", title: "one")])
      #expect(try store.at().items().map(\.id) == ["a"])
      try Self.removeProjections(of: path)
      #expect(try store.at().items().map(\.id) == ["a"])
      let other = try Store.open(at: path)
      try await other.append([index("b", title: "two")])
      other.close()
      #expect(try store.at().items().map(\.id) == ["a", "b"])
      try Self.removeProjections(of: path)
      try await store.append([index("c", title: "three")])
      #expect(try store.at().items().map(\.id) == ["a", "b", "c"])
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test(arguments: [false, true])
  func `a lock that is left of a deleted file is not that of the one made anew`(_ isCurrent: Bool)
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      defer { store.close() }
      try await store.append([index("a", title: "one")])
      #expect(try store.at().items().map(\.id) == ["a"])
      try FileManager.default.removeItem(atPath: path + "/view-1.mdb")
      if !isCurrent { try FileManager.default.removeItem(atPath: path + "/CURRENT") }
      let other = try Store.open(at: path)
      try await other.append([index("b", title: "two")])
      other.close()
      #expect(try store.at().items().map(\.id) == ["a", "b"])
      try await store.append([index("c", title: "three")])
      #expect(try store.at().items().map(\.id) == ["a", "b", "c"])
    }
  }

  @Test func `verify tells of the projections, and of no damage of the log`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await store.append([index("a", title: "one"), index("b", title: "two")])
      store.close()
      try Self.removeProjections(of: path)
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
