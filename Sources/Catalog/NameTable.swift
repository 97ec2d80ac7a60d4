import Projections
import Values

/// Keys for names of any length in byte order.
///
/// LMDB keys end at 511 bytes. A longer name keeps its first 440 bytes and gets a 16-byte hash
/// of the whole, so that names still sort by their beginnings and never share a key.
package enum NameCoding {
  /// Bytes of a name that are kept as they are.
  package static let prefixByteCount = 440

  package static func key(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    guard range.count > prefixByteCount else { return Array(bytes[range]) }
    var key = Array(bytes[range.prefix(prefixByteCount)])
    let hash = NameKey(bytes, range)
    key.appendBigEndian(hash.low)
    key.appendBigEndian(hash.high)
    return key
  }

  /// Whether the rows of two names stand in an order of their own, as long ones that begin alike.
  package static func areTogether(_ name: [UInt8], _ other: [UInt8]) -> Bool {
    min(name.count, other.count) > prefixByteCount
      && name.prefix(prefixByteCount) == other.prefix(prefixByteCount)
  }
}

/// Keys for dotted domains, in an order that keeps each domain beside those below it.
///
/// Components are terminated by `00 01`, a `00` inside one is written `00 FF`; so the keys of a
/// domain and all below it are exactly those that begin with the domain's key.
package enum DomainCoding {
  /// The key of a domain, before shortening.
  package static func path(_ name: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(range.count + 8)
    for byte in name[range] {
      switch byte {
      case UInt8(ascii: "."): path += [0, 1]
      case 0: path += [0, 0xFF]
      default: path.append(byte)
      }
    }
    path += [0, 1]
    return path
  }

  /// The key of a domain in its table.
  package static func key(_ name: [UInt8], _ range: Range<Int>) -> [UInt8] {
    let path = path(name, range)
    return NameCoding.key(path, path.indices)
  }
}
