import LMDB
import Projections
import TestSupport

@testable import Columns

/// Columns in a file of their own, deleted afterwards.
final class ColumnStore {
  static let names = [1, 2, 3].map { NameKey(low: $0, high: 77) }

  let environment: Environment
  let columns: Columns
  private let directory = TestDirectory()
  var digest = RowDigest()

  init() throws {
    environment = try Environment.open(
      directory.file("columns.mdb"),
      Environment.Configuration(
        access: .readWrite, durability: .deferred, tables: Columns.tables,
        writer: WriterThread(name: "columns-test"), create: true))
    columns = Columns(environment)
  }

  deinit { environment.close() }

  func apply(_ changes: [ColumnChange]) throws {
    let (columns, before) = (columns, digest)
    digest = try environment.write { (txn) throws(CairnError) in
      var digest = before
      try columns.apply(changes, names: Self.names, &digest, in: &txn)
      return digest
    }
  }

  func audited() throws -> RowDigest {
    try environment.read { (txn) throws(CairnError) in
      try columns.digest(MadeUpNames(), in: txn)
    }
  }

  func column(_ number: Int) throws -> ColumnData {
    try environment.read { (txn) throws(CairnError) in try columns.column(number, in: txn) }
  }

  /// What an item has, texts by their bytes.
  func content(_ item: UInt32, _ column: Int) throws -> ColumnContent {
    try environment.read { (txn) throws(CairnError) in
      let data = try columns.column(column, in: txn)
      guard let codes = data.codes(of: item) else { return .elsewhere }
      guard !codes.isEmpty else { return .none }
      guard data.hasTexts else { return .numbers(codes) }
      var texts: [[UInt8]] = []
      for code in codes { texts.append(try columns.text(code, of: column, in: txn)) }
      return .texts(texts)
    }
  }
}

/// Names of items, made of their ordinals.
struct MadeUpNames: NameKeys {
  static func key(_ item: UInt32) -> NameKey { NameKey(low: UInt64(item) &* 31, high: 9) }

  func itemKey(_ item: UInt32) -> NameKey { Self.key(item) }
  func domainKey(_ domain: UInt32) -> NameKey { .none }
}

/// Random changes of items in a number, a text and a list of numbers.
struct RandomChanges {
  private var random: SeededGenerator
  private let itemCount: UInt32

  init(seed: UInt64, itemCount: UInt32) {
    random = SeededGenerator(seed: seed)
    self.itemCount = itemCount
  }

  mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func changes(_ count: Int) -> [ColumnChange] { (0..<count).map { _ in change() } }

  private mutating func change() -> ColumnChange {
    let item = UInt32(pick(0..<Int(itemCount)))
    let contents = pick(0..<6) == 0 ? [] : [number(), text(), list()]
    return ColumnChange(item: item, itemKey: MadeUpNames.key(item), contents: contents)
  }

  private mutating func number() -> ColumnContent {
    switch pick(0..<9) {
    case 0: .none
    case 1: .elsewhere
    case 2: .numbers([UInt64.max - UInt64(pick(0..<3))])
    case 3: .numbers([2 + UInt64(pick(0..<3))])
    default: .numbers([1 << 63 + UInt64(pick(0..<300))])
    }
  }

  private mutating func text() -> ColumnContent {
    switch pick(0..<7) {
    case 0: return .none
    case 1: return .elsewhere
    default: return .texts([Array("text \(pick(0..<40))".utf8)])
    }
  }

  private mutating func list() -> ColumnContent {
    switch pick(0..<7) {
    case 0: return .none
    case 1: return .elsewhere
    case 2: return .numbers((0..<UInt64(pick(250..<260))).map { 2 + $0 })
    default:
      return .numbers(Set((0..<pick(1..<6)).map { _ in 100 + UInt64(pick(0..<90_000)) }).sorted())
    }
  }
}

extension ColumnData {
  /// The codes of an item; nil where the column cannot tell.
  func codes(of item: UInt32) -> [UInt64]? {
    var codes: [UInt64]? = []
    visit(item) { code in
      if code == ColumnCode.elsewhere { codes = nil }
      if code >= ColumnCode.first { codes?.append(code) }
    }
    return codes
  }
}
