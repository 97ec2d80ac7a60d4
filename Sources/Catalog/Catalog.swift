package import LMDB
package import Projections

/// The projection that knows what is there: items, their domains and every version of them.
///
/// | table | key | value |
/// |---|---|---|
/// | `items` | item's identifier (`NameCoding`) | ordinal, 4 bytes |
/// | `names` | ordinal / 16 | identifiers of up to 16 items (`NameBlock`), in parts |
/// | `catalog` | ordinal ‖ ~sequence | version (`ItemState`), newest first |
/// | `contents` | ordinal ‖ sequence | merged attributes as an index payload, in parts |
/// | `domains` | path (`DomainCoding`) | ordinal, 4 bytes |
/// | `domain-names` | ordinal | name, in parts |
/// | `members` | domain ‖ ordinal / 1,024 | items that were once in the domain (`MemberBlock`) |
/// | | domain ‖ `FF FF FF FF` | how many items are present in it, and the earliest expiry |
///
/// It comes before all other projections: ``CatalogFold`` resolves the names of events for them.
package struct Catalog: Projection {
  package static let name = ProjectionName("catalog")
  package static let formatVersion: UInt64 = 7

  package enum Name {
    package static let items: TableName = "items"
    package static let names: TableName = "names"
    package static let versions: TableName = "catalog"
    package static let contents: TableName = "contents"
    package static let domains: TableName = "domains"
    package static let domainNames: TableName = "domain-names"
    package static let members: TableName = "members"
  }

  package static let tables: [TableName] = [
    Name.items, Name.names, Name.versions, Name.contents, Name.domains, Name.domainNames,
    Name.members,
  ]

  package static let auditedTables = [Name.items, Name.names, Name.versions, Name.domainNames]

  let items: Table
  let names: Table
  let versions: Table
  let contents: Table
  let domains: Table
  let domainNames: Table
  let members: Table

  package static func addVersion(to hasher: inout RowHasher) { hasher.add(formatVersion) }

  package init(_ environment: Environment) {
    items = environment[Name.items]
    names = environment[Name.names]
    versions = environment[Name.versions]
    contents = environment[Name.contents]
    domains = environment[Name.domains]
    domainNames = environment[Name.domainNames]
    members = environment[Name.members]
  }

  static func versionKey(item: UInt32, sequence: UInt64) -> [UInt8] {
    [UInt8](bigEndian: item, ~sequence)
  }

  static func ordinalKey(_ ordinal: UInt32) -> [UInt8] { [UInt8](bigEndian: ordinal) }

  static func memberKey(domain: UInt32, number: UInt32) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(8)
    key.appendBigEndian(domain)
    key.appendBigEndian(number)
    return key
  }
}
