package import Events
import Projections

/// Row format 5: flags, varints, then fixed fields; the value carries a checksum of its own.
extension ItemState {
  private enum Flag {
    static let present: UInt8 = 1
    static let isPart: UInt8 = 2
    static let hasDomain: UInt8 = 4
    static let hasExpiry: UInt8 = 8
    static let storedBase: UInt8 = 16
    static let deleted: UInt8 = 32
    /// A page, parts, or both.
    static let hasPage: UInt8 = 64
    static let hasActivity: UInt8 = 128
  }

  package func encode(into bytes: inout [UInt8]) {
    var flags: UInt8 = 0
    if isPresent { flags |= Flag.present }
    if isPart { flags |= Flag.isPart }
    if ownDomain != ResolvedEvent.none { flags |= Flag.hasDomain }
    if expires != nil { flags |= Flag.hasExpiry }
    if content.isStored { flags |= Flag.storedBase }
    if since == .max { flags |= Flag.deleted }
    if content.page != 0 || !content.parts.isEmpty { flags |= Flag.hasPage }
    if content.activity != 0 { flags |= Flag.hasActivity }
    bytes.append(flags)
    bytes.appendVarint(UInt64(versionCount))
    if since != .max { bytes.appendVarint(since) }
    if ownDomain != ResolvedEvent.none { bytes.appendVarint(UInt64(ownDomain)) }
    if flags & Flag.hasPage != 0 {
      bytes.appendVarint(content.page)
      // The ordinal of none is the largest: the one after it is zero.
      bytes.appendVarint(UInt64(pageDomain &+ 1))
    }
    if isPart { bytes.appendVarint(UInt64(whole)) }
    if flags & Flag.hasPage != 0 {
      bytes.appendVarint(UInt64(content.parts.count))
      for part in content.parts {
        bytes.appendVarint(UInt64(part.item))
        bytes.appendVarint(part.sequence)
      }
    }
    if let expires {
      bytes.appendBigEndian(UInt64(bitPattern: expires.seconds))
      bytes.appendBigEndian(UInt64(expires.nanoseconds))
    }
    bytes.appendBigEndian(contentKey.low)
    bytes.appendBigEndian(contentKey.high)
    bytes.appendVarint(content.base)
    // Of most items that have one it is the base itself: one byte.
    if content.activity != 0 { bytes.appendVarint(content.activity ^ content.base) }
    bytes.appendVarint(UInt64(content.updates.count))
    var previous = content.base
    for update in content.updates {
      bytes.appendVarint(update &- previous)
      previous = update
    }
  }

  /// Reads a row back.
  /// - Throws: `.corrupt` when the bytes are not a row.
  package init(decoding row: RawSpan) throws(CairnError) {
    self.init()
    var reader = ByteReader(row)
    let flags = try reader.readUInt8()
    isPresent = flags & Flag.present != 0
    // A row is the version of an item that was there once.
    wasEverPresent = true
    versionCount = UInt32(truncatingIfNeeded: try reader.readVarint())
    since = flags & Flag.deleted != 0 ? .max : try reader.readVarint()
    if flags & Flag.hasDomain != 0 {
      ownDomain = UInt32(truncatingIfNeeded: try reader.readVarint())
    }
    if flags & Flag.hasPage != 0 {
      content.page = try reader.readVarint()
      pageDomain = UInt32(truncatingIfNeeded: try reader.readVarint()) &- 1
    }
    if flags & Flag.isPart != 0 { whole = UInt32(truncatingIfNeeded: try reader.readVarint()) }
    if flags & Flag.hasPage != 0 {
      for _ in 0..<(try reader.readVarint()) {
        let item = UInt32(truncatingIfNeeded: try reader.readVarint())
        content.parts.append(ItemPart(item: item, sequence: try reader.readVarint()))
      }
    }
    if flags & Flag.hasExpiry != 0 {
      let seconds = Int64(bitPattern: try reader.readBigEndian64())
      let nanoseconds = try reader.readBigEndian64()
      expires = Timestamp(seconds: seconds, nanoseconds: UInt32(truncatingIfNeeded: nanoseconds))
    }
    let low = try reader.readBigEndian64()
    contentKey = NameKey(low: low, high: try reader.readBigEndian64())
    content.base = try reader.readVarint()
    if flags & Flag.hasActivity != 0 { content.activity = try reader.readVarint() ^ content.base }
    content.isStored = flags & Flag.storedBase != 0
    let count = try reader.readVarint()
    guard count <= UInt64(ContentSource.updateCountMax) else {
      throw CairnError(
        .corrupt, "an item's version lists too many updates",
        place: "table catalog", remedy: .rebuild)
    }
    var previous = content.base
    for _ in 0..<count {
      previous &+= try reader.readVarint()
      content.updates.append(previous)
    }
    try reader.requireEnd()
  }

  /// Whether a row relies on an event or an item that an erasure takes, beside the event that made
  /// it.
  ///
  /// - Throws: `.corrupt` when the bytes are not a row.
  static func relies(_ row: RawSpan, on erasure: Erasure) throws(CairnError) -> Bool {
    var reader = ByteReader(row)
    let flags = try reader.readUInt8()
    guard flags & (Flag.hasActivity | Flag.hasPage | Flag.isPart) != 0 else { return false }
    let state = try ItemState(decoding: row)
    if state.content.hasActivityBelow, erasure.contains(state.content.activity) { return true }
    if state.isPart, erasure.isGone(item: state.whole) { return true }
    return state.content.parts.contains { erasure.isGone(item: $0.item) }
  }
}
