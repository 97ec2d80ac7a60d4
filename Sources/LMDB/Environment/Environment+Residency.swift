import CLMDB
import Files
import Glibc
import Synchronization

extension Environment {
  /// Gives the memory back in which the system has mapped the file for this process.
  ///
  /// The pages stay in the system's cache, and whoever reads them next finds them there; what
  /// changes is only how much memory the process counts as its own. For long scans that must not
  /// take more of it the longer they go on.
  /// - Complexity: a look at the list of the process's maps, and O(pages mapped).
  package func releaseMemory() {
    // Advice: the worst that may come of a failure is that the memory stays.
    try? read { (_) throws(CairnError) in releaseMap() }
  }

  /// Gives the memory back that the process has let go and the allocator keeps: before work that
  /// takes much of another kind.
  package static func releaseFreedMemory() { cairn_release_freed() }

  /// Notes that a cursor has passed so many bytes, and gives the memory back when they add up to
  /// much: a walk through a file takes no more of it the longer the file is.
  ///
  /// The caller has a transaction open.
  func notePassed(_ byteCount: Int) {
    let sum = passedByteCount.add(byteCount, ordering: .relaxed).newValue
    guard sum >= Self.passedByteCountMax else { return }
    passedByteCount.store(0, ordering: .relaxed)
    if Self.mappedByteCount() > Self.mappedByteCountMax { releaseMap() }
  }

  /// What a lookup maps: the system maps the pages around one that it reads, 64 KiB of them, and of
  /// the many lookups of a batch most find theirs mapped where the file is small, few where it is
  /// large.
  static let mappedAroundByteCount: UInt = 64 << 10

  /// Notes that a row was looked up, to be read or changed, far from those before it.
  func noteLookup() { notePassed(Int(Self.mappedAroundByteCount)) }

  private static let passedByteCountMax = 32 << 20
  /// Fewer mapped bytes are not worth to be mapped again.
  private static let mappedByteCountMax = 64 << 20

  /// How much of all files that are mapped the process counts as its own, its program included.
  static func mappedByteCount() -> Int {
    // Where the system does not tell, the memory is given back too often rather than never.
    guard let row = try? FileBytes.read("/proc/self/statm", limit: 1 << 10) else { return .max }
    let counts = String(decoding: row, as: UTF8.self).split(separator: " ")
    guard counts.count > 2, let pageCount = Int(counts[2]) else { return .max }
    return pageCount * Int(getpagesize())
  }

  /// Gives back the map, which cannot move while the caller has a transaction open.
  private func releaseMap() {
    for range in Self.maps(of: identity, named: fileName) {
      guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else {
        continue
      }
      // SAFETY: the range is a shared map of the file, of which nothing is written through
      // memory: pages that are let go are read from the file again.
      unsafe madvise(start, range.count, MADV_DONTNEED)
    }
  }

  /// Where a file is mapped, as the system lists it: addresses, permissions, offset, device, inode
  /// and path of each map.
  private static func maps(of file: FileIdentity, named name: String) -> [Range<UInt>] {
    // Advice that cannot be given is not.
    guard let list = try? FileBytes.read("/proc/self/maps", limit: 1 << 26) else { return [] }
    var ranges: [Range<UInt>] = []
    for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard parts.count == 6, parts[1] == "r--s", UInt(parts[4]) == file.inode,
        parts[5].hasSuffix(name)
      else { continue }
      let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2, ends[0] < ends[1] { ranges.append(ends[0]..<ends[1]) }
    }
    return ranges
  }
}
