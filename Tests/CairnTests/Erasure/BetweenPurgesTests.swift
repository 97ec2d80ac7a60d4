import Catalog
import LMDB
import TestSupport
import Testing

@testable import Cairn

/// Reads that a purge comes in between: it takes from the log what the projections, as they were
/// looked at before it, still name.
@Suite struct BetweenPurgesTests {
  private static func fill(_ store: Store) async throws {
    try await store.append(
      (0..<12).map { index("item-\($0)", title: "t \($0)", domain: "d\($0 % 6)") })
  }

  private static func purge(_ scope: PurgeScope, of store: Store) throws(CairnError) {
    do throws(CairnError) { _ = try store.purge(scope) } catch {
      throw CairnError(.internal, error.message, place: error.place)
    }
  }

  private static let damage = CairnError(.corrupt, "is damaged", place: "log.mdb")

  @Test func `a read that meets a purge looks again`() async throws {
    try await withStore { store in
      try await Self.fill(store)
      let moment = try store.at(.sequence(10))
      var runs = 0
      let found = try moment.read { (view, txn) throws(CairnError) -> [String] in
        runs += 1
        if runs == 1 { try Self.purge(.domain("d1"), of: store) }
        var found: [String] = []
        for number in 0..<12 {
          let name = Array("item-\(number)".utf8)
          guard let ordinal = try view.generation.catalog.ordinal(of: name, in: txn),
            let item = try moment.item(ordinal, view, txn)
          else { continue }
          found.append(item.id)
        }
        return found
      }
      #expect(runs == 2)
      #expect(found == [0, 2, 3, 4, 5, 6, 8, 9].map { "item-\($0)" })
    }
  }

  @Test func `what fails though nothing was purged is damaged`() async throws {
    try await withStore { store in
      try await Self.fill(store)
      var runs = 0
      expectError(.corrupt) {
        try store.at().read { (_, _) throws(CairnError) -> Int in
          runs += 1
          throw Self.damage
        }
      }
      #expect(runs == 2)
      expectError(.corrupt) {
        try store.askBetweenPurges { () throws(CairnError) -> Int in throw Self.damage }
      }
      #expect(try store.askBetweenPurges { () throws(CairnError) in false } == false)
    }
  }

  @Test func `a question of several reads is asked again after a purge`() async throws {
    try await withStore { store in
      try await Self.fill(store)
      var runs = 0
      let answer = try store.askBetweenPurges { () throws(CairnError) in
        runs += 1
        if runs < 3 { _ = try store.purge(.domain("d\(runs)")) }
        if runs == 1 { throw Self.damage }
        return runs
      }
      #expect(answer == 3)
      runs = 0
      let fine = try store.askBetweenPurges(accepting: { $0 }) { () throws(CairnError) in
        runs += 1
        _ = try store.purge(.domain("d3"))
        return true
      }
      #expect(fine && runs == 1)
    }
  }

  @Test func `after some attempts purges have to wait`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store", patience: .milliseconds(100))
      defer { store.close() }
      try await Self.fill(store)
      var runs = 0
      var isHeldOff = false
      let answer = try store.askBetweenPurges { () throws(CairnError) in
        runs += 1
        do throws(CairnError) { _ = try store.purge(.item("item-\(runs)")) } catch
          where error.code == .busy
        { isHeldOff = true }
        return runs
      }
      #expect(isHeldOff && answer == 5)
      #expect(try store.purge(.item("item-5"))?.isComplete == true)
    }
  }
}
