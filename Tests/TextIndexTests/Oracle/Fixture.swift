import Foundation
import LMDB
import Projections
import TestSupport
import Text

@testable import TextIndex

/// One index in a scratch file with the model it must agree with.
struct Fixture {
  typealias Fields = [(TextIndex.FieldKind, String)]

  let directory = TestDirectory()
  let environment: Environment
  private(set) var index: TextIndex
  let context = FoldContext()
  var oracle = Oracle()
  var log: [(item: UInt32, fields: Fields?)] = []

  init() throws(CairnError) {
    environment = try directory.environment()
    index = TextIndex(environment: environment)
  }

  /// Has a selection tried for every unfinished word, however few documents have it.
  mutating func selectAlways() {
    index.unionCache = UnionCache(selectionPostingCount: 0)
  }

  /// The same index as another process finds it, in a copy of its file.
  func restarted() throws -> Fixture {
    try environment.sync()
    return try Fixture(copying: self)
  }

  private init(copying other: Fixture) throws {
    try FileManager.default.copyItem(
      atPath: other.directory.file("data.mdb"), toPath: directory.file("data.mdb"))
    environment = try directory.environment()
    index = TextIndex(environment: environment)
    oracle = other.oracle
    log = other.log
  }

  static func nameKey(_ item: UInt32) -> NameKey {
    let (low, high) = key(item)
    return NameKey(low: low, high: high)
  }

  static func key(_ item: UInt32) -> (UInt64, UInt64) {
    (UInt64(item) &* 0x9E37_79B9_7F4A_7C15, UInt64(item) ^ 0xABCD)
  }

  /// The text of a field with a weight, which models and tests take apart again.
  static func weighted(_ text: String, _ weight: Float) -> String {
    weight == 1 ? text : "\(text)\u{1}\(weight)"
  }

  static func parts(_ text: String) -> (text: String, weight: Float) {
    let parts = text.split(separator: "\u{1}", omittingEmptySubsequences: false)
    guard parts.count == 2, let weight = Float(parts[1]) else { return (text, 1) }
    return (String(parts[0]), weight)
  }

  /// The change of an event; nil fields remove.
  static func change(_ item: UInt32, _ sequence: UInt64, _ fields: Fields?) -> TextIndex.Change {
    guard let fields else { return .remove(item: item, itemKey: key(item), sequence: sequence) }
    var buffer: [UInt8] = []
    var ranges: [TextIndex.Field] = []
    for (kind, known) in fields {
      let (text, weight) = parts(known)
      let start = buffer.count
      buffer.append(contentsOf: text.utf8)
      ranges.append(TextIndex.Field(kind: kind, bytes: start..<buffer.count, weight: weight))
    }
    return .put(item: item, itemKey: key(item), sequence: sequence, fields: ranges, buffer: buffer)
  }

  /// Applies events to the index and the model; sequences go on from the last.
  @discardableResult mutating func apply(_ events: [(item: UInt32, fields: Fields?)])
    throws(CairnError) -> RowDigest
  {
    var changes: [TextIndex.Change] = []
    for event in events {
      log.append(event)
      let sequence = UInt64(log.count)
      changes.append(Self.change(event.item, sequence, event.fields))
      if let fields = event.fields {
        oracle.put(event.item, sequence, fields)
      } else {
        oracle.remove(event.item, sequence)
      }
    }
    return try write(changes)
  }

  @discardableResult func write(_ changes: [TextIndex.Change]) throws(CairnError) -> RowDigest {
    let index = index
    let context = context
    return try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      try index.apply(changes, in: &txn, context: context)
    }
  }

  func merge(force: Bool = true) throws(CairnError) {
    let index = index
    let context = context
    try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      _ = try index.mergeIfDue(in: &txn, force: force, context: context)
    }
  }

  func search(
    _ request: TextIndex.Request, maximumBonus: Double = 0, bounds: TextIndex.BonusBounds? = nil,
    boosts: TextIndex.Boosts = .none, bonus: (UInt32) -> Double = { _ in 0 },
    accept: (UInt32) -> Bool = { _ in true }
  ) throws(CairnError) -> [TextIndex.Hit] {
    try environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      try index.search(
        request, in: txn, maximumBonus: maximumBonus,
        bounds: { () throws(CairnError) in bounds }, boosts: boosts,
        bonus: { (item, least) throws(CairnError) in
          // What stays below is left out for half of the items only.
          let bonus = bonus(item)
          return item % 2 == 0 && bonus < least ? nil : bonus
        },
        accept: { (item) throws(CairnError) in accept(item) })
    }
  }

  /// Items found for a text, best first.
  func items(_ text: String, _ change: (inout TextIndex.Request) -> Void = { _ in }) throws
    -> [UInt32]
  {
    var request = TextIndex.Request(query: Analyzer().analyzeQuery(text))
    change(&request)
    return try search(request).map { $0.item }
  }

  func digest() throws(CairnError) -> RowDigest {
    try environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      try IndexState(txn, index.tables).digest
    }
  }

  func recomputedDigest() throws(CairnError) -> RowDigest {
    try environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      try index.recomputedDigest(in: txn) { (item) throws(CairnError) in Self.nameKey(item) }
    }
  }

  /// The same log in a fresh index, loaded in batches of the size given.
  func rebuilt(batch: Int, isBulk: Bool) throws(CairnError) -> Fixture {
    var other = try Fixture()
    if isBulk {
      other.context.bulkPutCount = 1
      // The larger half of all batches goes straight to the lists.
      other.context.directPutCount = batch / 2
    }
    var at = 0
    while at < log.count {
      let end = min(at + batch, log.count)
      try other.apply(Array(log[at..<end]))
      at = end
    }
    return other
  }
}

extension MergePace {
  /// Merges all the time, for tests of little text.
  static var hurried: MergePace {
    var pace = MergePace()
    pace.documentCount = 7
    pace.roundDocumentCount = 20
    pace.rowCount = 9
    pace.visitCount = 15
    pace.worthByteCount = 24
    pace.rowByteCount = 60
    pace.splitEndCount = 4
    pace.splitByteCount = 200
    return pace
  }
}
