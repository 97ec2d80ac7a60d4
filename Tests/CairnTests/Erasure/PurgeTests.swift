import EventLog
import Foundation
import LMDB
import Projections
import TestSupport
import Testing

@testable import Cairn

@Suite struct PurgeTests {
  private static let canary = "kanarienvogel"

  /// Items of which every third lies in the domain that goes, some with long texts.
  private static func fill(_ store: Store) async throws {
    var events: [Event] = []
    for number in 0..<60 {
      let isSecret = number % 3 == 0
      let word = isSecret ? canary : "plain"
      let text = String(repeating: "\(word) filler ", count: number % 5 == 0 ? 400 : 2)
      events += [
        index(
          "\(word)-item-\(number)", title: "\(word) title \(number)",
          domain: isSecret ? "\(canary).mail" : "open.mail",
          ["textContent": .string(text), "keywords": .array([.string("\(word)-key")])]),
        view("\(word)-item-\(number)", at: 1_700_000_000 + Int64(number)),
        Event(
          kind: .select, item: "\(word)-item-\(number)", query: "\(word) query",
          shown: ["\(word)-item-\(number)"]),
      ]
    }
    events.append(
      Event(
        kind: .update, item: "\(canary)-item-0", attributes: ["title": .string("\(canary) again")]))
    try await store.append(events)
  }

  /// Files under a folder that hold the canary in UTF-8, UTF-16 or percent-encoded.
  private static func files(withCanaryIn directory: String) throws -> [String] {
    var forms = [Data(canary.utf8)]
    forms.append(Data(canary.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }))
    forms.append(Data(canary.utf8.map { "%" + String($0, radix: 16) }.joined().utf8))
    let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String }
    return (names ?? []).filter { name in
      guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else {
        return false
      }
      return forms.contains { bytes.range(of: $0) != nil }
    }
  }

  @Test func `no byte is left in any file, whatever was done before`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await Self.fill(store)
      try store.createSnapshot("before")
      try store.rebuild()
      try store.copy(at: store.at(), into: path + "/monday")
      try await store.append([Event(kind: .delete, item: "\(Self.canary)-item-3")])
      // The test can fail: deleting leaves it, and so does a copy of the pages.
      try await store.append([Event(kind: .delete, item: "\(Self.canary)-item-6")])
      #expect(try Self.files(withCanaryIn: path).count >= 3)

      let receipt = try #require(try store.purge(.domain(Self.canary)))
      #expect(receipt.isComplete)
      #expect(receipt.residueByteCount == 0)
      #expect(receipt.scannedFileCount == 3)
      #expect(try Self.files(withCanaryIn: path) == [])
      #expect(try store.at().search(SearchRequest(Self.canary)).isEmpty)
      #expect(try store.at(.snapshot("before")).search(SearchRequest(Self.canary)).isEmpty)
      #expect(try store.at(.snapshot("before")).items().count == 40)
      #expect(try store.verify(deep: true).problems == [])
      // Nor does going on bring anything back.
      try await store.append((0..<200).map { index("late \($0)", title: "late \($0)") })
      try store.rebuild()
      store.close()
      #expect(try Self.files(withCanaryIn: path) == [])
      // The backup inside is a store of its own, without what was purged.
      let backup = try Store.open(at: path + "/monday")
      #expect(try backup.at().items().count == 40)
      #expect(try backup.verify(deep: true).problems == [])
      backup.close()
      #expect(try Self.files(withCanaryIn: path) == [])
    }
  }

  @Test func `a name whose deletion was killed is overwritten when it is deleted again`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await store.append([index("a", title: "a")])
      try store.createSnapshot(Self.canary)
      // What is left of a deletion that ended before it overwrote anything.
      #expect(try store.log.deleteNamedPoint(Self.canary))
      #expect(try Self.files(withCanaryIn: path) == ["log.mdb"])
      #expect(try !store.deleteSnapshot(Self.canary))
      #expect(try Self.files(withCanaryIn: path) == [])

      let number = try store.addRetentionRule(.init(domain: Self.canary, keeping: .days(1)))
      try store.log.setMetadata(nil, for: Store.ruleKey(number))
      #expect(try Self.files(withCanaryIn: path) == ["log.mdb"])
      #expect(try !store.removeRetentionRule(number))
      #expect(try Self.files(withCanaryIn: path) == [])
      #expect(try store.verify(deep: true).problems == [])
      store.close()
    }
  }

  @Test func `a purge whose overwriting fails says that it is recorded, and is completed later`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await Self.fill(store)
      // A folder cannot be deleted as the file that it stands for.
      let inTheWay = path + "/pages.journal"
      try FileManager.default.createDirectory(
        atPath: inTheWay, withIntermediateDirectories: false)
      let error = #expect(throws: CairnError.self) { try store.purge(.domain(Self.canary)) }
      let head = try store.at().sequence
      #expect(error?.message.hasPrefix("event \(head) records the purge") == true)
      #expect(try store.at().search(SearchRequest(Self.canary)).isEmpty)
      #expect(try store.unfinishedPurge() == head)
      store.close()
      // Who only asks is answered meanwhile.
      let reader = try Store.open(at: path, access: .readOnly)
      #expect(try reader.at().sequence == head && reader.unfinishedPurge() == head)
      #expect(reader.projectionFailure == nil)
      reader.close()
      try FileManager.default.removeItem(atPath: inTheWay)
      let again = try Store.open(at: path)
      #expect(try again.unfinishedPurge() == nil)
      #expect(try Self.files(withCanaryIn: path) == [])
      again.close()
    }
  }

  @Test func `a copy inside that went its own way loses what was purged, too`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await Self.fill(store)
      try store.createSnapshot("before")
      try store.copy(at: store.at(), into: path + "/own")
      let own = try Store.open(at: path + "/own")
      try await own.append([index("own", title: "own")])
      own.close()
      try await store.append([index("plain", title: "plain")])
      let receipt = try #require(try store.purge(.domain(Self.canary)))
      #expect(receipt.isComplete && receipt.scannedFileCount == 3)
      #expect(try Self.files(withCanaryIn: path) == [])
      let snapshots = try store.snapshots()
      store.close()
      let copy = try Store.open(at: path + "/own")
      #expect(try copy.snapshots() == snapshots)
      #expect(try copy.at().items().count == 41)
      #expect(try copy.verify(deep: true).problems == [])
      copy.close()
    }
  }

  @Test func `a log inside that cannot be read is named, and neither purges nor openings wait`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await Self.fill(store)
      _ = try store.backUp(into: path + "/cut")
      let cut = try Data(contentsOf: URL(filePath: path + "/cut/log.mdb")).prefix(9_000)
      for (name, bytes) in [("cut", cut), ("empty", Data()), ("other", Data(count: 20_000))] {
        try FileManager.default.createDirectory(
          atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: "\(path)/\(name)/log.mdb"))
      }
      // One of a span looks into copies before it erases.
      var span = PurgeCriteria()
      span.since = Timestamp(seconds: 1_700_000_050)
      for scope in [PurgeScope.domain(Self.canary), .matching(span)] {
        let receipt = try #require(try store.purge(scope))
        #expect(receipt.sequence != nil && receipt.isComplete)
        #expect(receipt.unknownFiles == ["cut/log.mdb", "empty/log.mdb", "other/log.mdb"])
      }
      store.close()
      let opened = try Store.open(at: path)
      try await opened.append([index("late", title: "late")])
      #expect(try opened.verify(deep: true).problems == [])
      opened.close()
    }
  }

  @Test func `roots and hashes stay, and stubs say what is left`() async throws {
    try await withStore { store in
      try await Self.fill(store)
      let root = try store.log.root(at: 181)
      let leaves = try store.events().map(\.leafHash)
      let receipt = try #require(try store.purge(.domain(Self.canary)))
      #expect(receipt.sequence == 182)
      #expect(try store.log.root(at: 181) == root)
      var stubs = 0
      try store.forEachEntry(EventQuery()) { entry in
        switch entry {
        case .event(let event) where event.sequence <= 181:
          #expect(event.leafHash == leaves[Int(event.sequence) - 1])
        case .event(let event): #expect(event.event.kind == .purge)
        case .erased(let stub):
          stubs += 1
          #expect(stub.purge == 182)
          #expect(stub.leafHash == leaves[Int(stub.sequence) - 1])
        }
        return true
      }
      #expect(stubs == receipt.plan.eventCount)
      #expect(try store.event(at: 1) == nil)
    }
  }

  @Test func `a person goes with all that they did, in one call`() async throws {
    try await withStore { store in
      try await store.append([
        Event(kind: .index, item: "a", actor: "ann", attributes: ["title": "Harbour"]),
        Event(kind: .view, item: "a", actor: "bob"), Event(kind: .view, item: "a", actor: "ann"),
        Event(kind: .select, item: "a", actor: "ann", query: "harb"),
      ])
      let receipt = try #require(try store.purge(actor: "ann"))
      #expect(receipt.plan.eventCount == 3 && receipt.residueByteCount == 0)
      #expect(try store.events().map(\.event.actor) == ["bob", nil])
      #expect(try store.purge(actor: "ann")?.sequence == nil)
    }
  }

  @Test func `nothing to purge is no event, and a neighbour's name is not a prefix`() async throws {
    try await withStore { store in
      try await store.append([index("x", title: "x", domain: "ab"), index("y", title: "y")])
      let receipt = try #require(try store.purge(.domain("a")))
      #expect(receipt.plan.eventCount == 0)
      #expect(receipt.sequence == nil)
      #expect(try store.at().sequence == 2)
    }
  }

  @Test func `events of a blocked purge are refused by their ids, others like them are not`()
    async throws
  {
    try await withStore { store in
      let id = try #require(EventID(uuidString: "0193d1c2-0000-7000-8000-000000000001"))
      var old = Event(kind: .view, item: "x", attributes: ["title": "X"])
      (old.id, old.time, old.actor) = (id, Timestamp(seconds: 1_000), "ann")
      var other = old
      other.id = EventID(uuidString: "0193d1c2-0000-7000-8000-000000000002")
      try await store.append([old])
      _ = try store.purge(.before(Timestamp(seconds: 2_000)), blocking: true)
      #expect(try await store.append([old]).rejectedCount == 1)
      #expect(try await store.append([other]).acceptedCount == 1)
      var criteria = PurgeCriteria()
      criteria.actor = "ann"
      _ = try store.purge(.matching(criteria), blocking: true)
      #expect(try await store.append([old, other]).rejectedCount == 2)
      #expect(try store.unblock(.matching(criteria)))
      #expect(try !store.unblock(.matching(criteria)))
      #expect(try await store.append([other]).acceptedCount == 1)
      #expect(try store.unblock(.before(Timestamp(seconds: 2_000))))
      #expect(try await store.append([old]).acceptedCount == 1)
    }
  }

  @Test func `what is blocked is refused until it is unblocked`() async throws {
    try await withStore { store in
      try await store.append([index("x", title: "x", domain: "a.b"), index("z", title: "z")])
      _ = try store.purge(.domain("a"), blocking: true)
      _ = try store.purge(.item("z"), blocking: true)
      let refused = [
        index("x", title: "x", domain: "a"), index("q", title: "q", domain: "a.c.d"),
        index("z", title: "z"),
      ]
      #expect(try await store.append(refused).rejectedCount == 3)
      let accepted = [index("q", title: "q", domain: "ab"), index("y", title: "y")]
      #expect(try await store.append(accepted).acceptedCount == 2)
      // What shows an item is of it, too, and went with it.
      let mentions = [
        Event(kind: .select, item: "y", query: "q", shown: ["y", "z"]),
        Event(kind: .impression, query: "q", shown: ["z"]),
      ]
      #expect(try await store.append(mentions).rejectedCount == 2)
      let others = Event(kind: .impression, query: "q", shown: ["y", "zz"])
      #expect(try await store.append([others]).acceptedCount == 1)
      #expect(try store.unblock(.domain("a")))
      #expect(try !store.unblock(.domain("a")))
      #expect(try await store.append(refused).acceptedCount == 2)
      #expect(try store.unblock(.item("z")))
      #expect(try await store.append(mentions).acceptedCount == 2)
    }
  }

  @Test func `a use without a domain stays out where its item was refused for one`() async throws {
    try await withStore { store in
      try await store.append([
        index("x", title: "x", domain: "a.b"), index("y", title: "y", domain: "c"),
      ])
      _ = try store.purge(.domain("a"), blocking: true)
      let refused = [
        index("x", title: "x", domain: "a.b"), view("x", at: 1_000),
        index("y", title: "y", domain: "a"), index("z", title: "z", domain: "a"),
      ]
      #expect(try await store.append(refused).rejectedCount == 4)
      #expect(try await store.append([view("x", at: 1_001)]).rejectedCount == 1)
      // An item that is there is where it is.
      #expect(try await store.append([view("y", at: 1_001)]).acceptedCount == 1)
      let elsewhere = [index("x", title: "x"), view("x", at: 1_002)]
      #expect(try await store.append(elsewhere).acceptedCount == 2)
      #expect(try store.unblock(.domain("a")))
      _ = try store.purge(.item("q"), blocking: true)
      #expect(try await store.append([view("z", at: 1_003)]).acceptedCount == 1)
    }
  }

  @Test func `a use is taken of what is there, also as a part or by the same append`() async throws
  {
    try await withStore { store in
      let moved = ["y", "v", "u"].map { Event(kind: .update, item: $0, domain: .value("a")) }
      try await store.append([index("x", title: "x", domain: "a")])
      _ = try store.purge(.domain("a"), blocking: true)
      let made = [index("y", title: "y", domain: "c"), moved[0], view("y", at: 1_001)]
      #expect(try await store.append(made).rejectedCount == 1)
      let seen = [.view("v", title: "v"), moved[1], view("v", at: 1_001)]
      #expect(try await store.append(seen).rejectedCount == 1)
      // What was looked at without a title is no item.
      let unseen = [view("u", at: 1_000), moved[2], view("u", at: 1_001)]
      #expect(try await store.append(unseen).rejectedCount == 2)
      let page = Event(
        kind: .index, item: "w", source: "web", attributes: ["title": "w"],
        extras: ["items": .array([.string("y")])])
      try await store.append([page])
      #expect(try store.at().items().map(\.id) == ["v", "w"])
      #expect(try await store.append([moved[0]]).rejectedCount == 1)
      #expect(try await store.append([view("y", at: 1_002)]).acceptedCount == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a use is refused of what its own append deletes or does not take`(_ isOneBatch: Bool)
    async throws
  {
    try await withStore { store in
      let year = #""year":{"type":"integer","required":true}"#
      let films = #"{"cairnSchema":1,"domains":{"films":{"attributes":{\#(year)}}}}"#
      try store.setSchema(try store.readSchema(Array(films.utf8)))
      var known = index("w", title: "w")
      known.id = EventID(uuidString: "0193d1c2-0000-7000-8000-000000000001")
      try await store.append([index("x", title: "x", domain: "a"), known, .delete("w")])
      _ = try store.purge(.domain("a"), blocking: true)
      func moved(_ item: String) -> Event {
        Event(kind: .update, item: item, domain: .value("a"))
      }
      let events = [
        index("y", title: "y"), .delete("y"), moved("y"), .view("y", title: "secret"),
        .index("z", domain: "films"), moved("z"), .view("z", title: "secret"),
        known, moved("w"), .view("w", title: "secret"),
      ]
      var taken: [Int] = []
      for batch in isOneBatch ? [events] : events.map({ [$0] }) {
        for case .appended(let sequence) in try store.appendBlocking(batch).outcomes {
          taken.append(Int(sequence))
        }
      }
      #expect(taken.count == 2)
      #expect(try store.at().items().isEmpty)
    }
  }

  @Test func `a use that is refused by its id keeps no other use of its item out`() async throws {
    try await withStore { store in
      var use = view("x", at: 1_000)
      use.id = EventID(uuidString: "0193d1c2-0000-7000-8000-000000000001")
      use.actor = "ann"
      try await store.append([index("x", title: "x"), use])
      var criteria = PurgeCriteria()
      criteria.actor = "ann"
      _ = try store.purge(.matching(criteria), blocking: true)
      #expect(try await store.append([use, view("x", at: 1_001)]).acceptedCount == 1)
    }
  }

  @Test func `an item that was only ever shown is purged from what shows it`() async throws {
    try await withStore { store in
      try await store.append([
        index("x", title: "x"), Event(kind: .impression, query: "q", shown: ["ghost", "x"]),
        Event(kind: .impression, query: "q", shown: ["x"]),
      ])
      #expect(try store.eventsToPurge(.item("ghost")).map(\.sequence) == [2])
      #expect(try store.purge(.item("ghost"))?.isComplete == true)
      #expect(try store.events().map(\.sequence) == [1, 3, 4])
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test(arguments: ["", ".", "a..b", ".a", "a."]) func `what can be no domain cannot be purged`(
    name: String
  ) async throws {
    try await withStore { store in
      expectError(.badArgument) { try store.purge(.domain(name)) }
      expectError(.badArgument) { try store.planPurge(.domain(name)) }
      expectError(.badArgument) {
        try store.addRetentionRule(.init(domain: name, keeping: .days(3)))
      }
    }
  }

  @Test(arguments: [nil, "old", "new"])
  func `what is told of a part goes with its domain, under the name it had as well`(
    moved: String?
  ) async throws {
    try await withStore { store in
      try await store.append([
        index("whole", title: "whole", domain: "wholes"),
        index("part", title: "part", domain: "old"),
        Event(
          kind: .index, item: "whole", source: "web", attributes: ["title": "page"],
          extras: ["items": .array([.string("part")])]),
        view("part", at: 1_700_000_000), .update("part", attributes: ["comment": "more"]),
        Event(kind: .view, item: "part", domain: .value("elsewhere")),
        .impression(query: "q", shown: ["part"]), .delete("part"), view("whole", at: 1_700_000_000),
      ])
      if moved != nil {
        let step = #"{"domain":"old","op":"move","to":"new"}"#
        try store.setSchema(try store.readSchema(SchemaStoreTests.file("", step)))
      }
      let events = try store.selection(.domain(moved ?? "old")).sequences
      #expect(events == [2, 3, 4, 5, 7, 8])
    }
  }

  @Test func `a page that names an item goes with it, though it never showed it`() async throws {
    try await withStore { store in
      try await store.append([
        Event(
          kind: .index, item: "page", source: "web", attributes: ["title": "page"],
          extras: ["items": .array([.string("part")])]),
        index("part", title: "part"), index("other", title: "other"),
      ])
      #expect(try store.selection(.item("part")).sequences == [1, 2])
      #expect(try store.selection(.item("other")).sequences == [3])
    }
  }

  @Test func `purged ids are forgotten and may come back`() async throws {
    try await withStore { store in
      let id = try #require(EventID(uuidString: "2b0d1c1e-0000-4000-8000-0123456789ab"))
      var event = index("x", title: "x", domain: "a")
      event.id = id
      try await store.append([event])
      _ = try store.purge(.domain("a"))
      #expect(try await store.append([event]).acceptedCount == 1)
      #expect(try store.at().items().map(\.id) == ["x"])
    }
  }

  /// A purge chooses again what came while it copied; where each event changes which earlier ones
  /// are concerned, as with so many views that are kept, those who append wait once.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      PurgeScope.domain(canary), .retention([RetentionRule(kind: .view, keeping: .events(20))]),
    ]) func `a purge ends though what it concerns goes on coming`(scope: PurgeScope) async throws
  {
    try await withStore { store in
      try await Self.fill(store)
      let others = Task {
        var count = 0
        while !Task.isCancelled {
          count += 1
          try await store.append(
            (0..<20).flatMap { number in
              let name = "late \(count) \(number)"
              let late = index(name, title: name, domain: number % 2 == 0 ? Self.canary : "open")
              return [late, view(name, at: 1_700_001_000 + Int64(count))]
            })
        }
      }
      try await Task.sleep(for: .milliseconds(50))
      let receipt = try #require(try store.purge(scope))
      others.cancel()
      try await others.value
      #expect(receipt.plan.eventCount > 0 && receipt.isComplete && receipt.residueByteCount == 0)
      let purge = try #require(receipt.sequence)
      let early = try store.at(.sequence(purge))
      switch scope {
      case .domain: #expect(try early.items(domain: Self.canary).isEmpty)
      default:
        #expect(try early.timeline(by: .month).map { $0.kinds["view"] ?? 0 }.reduce(0, +) == 20)
      }
      #expect(try store.verify(deep: true).problems == [])
    }
  }

  @Test func `a purge that was only prepared never happened`() async throws {
    try await withDirectory { directory in
      let store = try Store.open(at: directory + "/store")
      try await Self.fill(store)
      let chosen = try store.selection(.domain(Self.canary))
      let begun = try store.begin(without: chosen)
      let built = try store.advance(begun, without: chosen) { _ in true }
      let green = try #require(built)
      try store.files.prepare(green.number, after: try #require(try store.files.current()))
      green.environment.close()
      // Until somebody cleans up, everything is as it was; an append does not commit the purge.
      try await store.append([index("late", title: "late")])
      #expect(try store.at().items().count == 61)
      store.close()
      let again = try Store.open(at: directory + "/store", access: .readOnly)
      #expect(try again.at().items().count == 61)
      #expect(try again.files.all().count == 1)
      #expect(try again.files.serving()?.candidate == nil)
      #expect(try again.at(.sequence(181)).items().count == 60)
      #expect(try again.verify(deep: true).problems == [])
      again.close()
    }
  }

  @Test func `a purge that was committed is unreadable at once and completed at the next opening`()
    async throws
  {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try await Self.fill(store)
      let chosen = try store.selection(.domain(Self.canary))
      let begun = try store.begin(without: chosen)
      let built = try store.advance(begun, without: chosen) { _ in true }
      let green = try #require(built)
      #expect(
        try store.erase(PurgeOrder(scope: .domain(Self.canary)), chosen, green)?.sequence == 182)
      #expect(try store.at().items().count == 40)
      #expect(try store.at().search(SearchRequest(Self.canary)).isEmpty)
      let found = try store.verify()
      #expect(found.problems == [])
      #expect(found.pendingPurge == 182)
      #expect(try !Self.files(withCanaryIn: path).isEmpty)
      store.close()
      let again = try Store.open(at: path, access: .readOnly)
      #expect(try again.unfinishedPurge() == nil)
      #expect(try again.at().items().count == 40)
      #expect(try Self.files(withCanaryIn: path) == [])
      #expect(try again.verify(deep: true).problems == [])
      again.close()
    }
  }

  @Test func `the clock of a purged sequence is that of the last event before it that is left`()
    async throws
  {
    try await withStore { store in
      func recorded(_ minute: Int64) -> Timestamp {
        Timestamp(seconds: 1_577_880_000 + minute * 60)
      }
      var events = ["a", "b", "p", "c"].map { index($0, title: $0) }
      for place in events.indices { events[place].recorded = recorded(10 + 20 * Int64(place)) }
      events[0].expires = .value(recorded(15))
      try await store.append(events)
      _ = try store.purge(.item("p"))
      for sequence in [2, 3] as [UInt64] {
        let moment = try store.at(.sequence(sequence))
        #expect(moment.clock == recorded(30))
        #expect(try moment.items().map(\.id) == ["b"])
      }
      #expect(try store.at(.sequence(4)).clock == recorded(70))
    }
  }

  /// LMDB sets room aside for its list of free pages and then needs less: with as many pages as
  /// these free, by a whole page.
  @Test(arguments: [24_956_384, 24_964_576, 24_980_960])
  func `an event that leaves a list of free pages with room behind it is purged with a receipt`(
    byteCount: Int
  ) async throws {
    try await withStore { store in
      let long = String(repeating: "x", count: byteCount)
      try await store.append([
        index("big", title: "T", ["contentURL": .string(long)]), index("k", title: "keep"),
      ])
      let receipt = try #require(try store.purge(.item("big")))
      #expect(receipt.isComplete && receipt.residueByteCount == 0)
      #expect(try store.verify().isSound)
    }
  }
}
