internal import LMDB

/// One of the two lists of a term: documents that may be present, and documents that have ended.
///
/// A search of the present reads the first one alone, so that changing texts does not slow it.
/// The past is in both, and no document in the two at once.
struct TermList: Hashable, Sendable {
  var term: UInt32
  var isPast = false

  /// Terms have smaller ids.
  static let termCountMax: UInt32 = 1 << 31
}

extension TermList {
  /// The list that a key of the postings is of.
  /// - Throws: `.corrupt` when it is no such key.
  init(key: borrowing RawSpan) throws(CairnError) {
    guard key.byteCount == 8 else { throw IndexDamage.postings }
    let number = key.loadBigEndian32(at: 0)
    self.init(term: number >> 1, isPast: number & 1 == 1)
  }

  /// What the keys of its chunks begin with: the lists of a term stand side by side.
  var number: UInt32 { term << 1 | (isPast ? 1 : 0) }
}
