import Files
import Glibc
package import LMDB
import Synchronization

/// The files of a store that hold projections, and which generation serves.
///
/// `view-N.mdb` is one generation of every projection and can be deleted at any time; `CURRENT`
/// names the one that serves and is replaced atomically. `view-N.dirty` exists while the
/// generation has changes that were handed to the system but not flushed, and holds the boot
/// they were made in: after a power cut the generation is folded again, never trusted.
/// `view-N.purge` marks a generation that is being built without what a purge is about to erase.
/// `view-N.build` has what a generation that is being built keeps for its end, `view-N.plan` why it
/// is being built and how fast. A generation below the serving one is kept for going back.
package struct GenerationFiles: Sendable {
  package let directory: String

  package init(directory: String) { self.directory = directory }

  package func path(of generation: UInt64) -> String { "\(directory)/view-\(generation).mdb" }

  private var currentPath: String { "\(directory)/CURRENT" }

  private func candidatePath(of generation: UInt64) -> String {
    "\(directory)/view-\(generation).purge"
  }

  /// Path of what a generation that is being built keeps for its end.
  package func buildPath(of generation: UInt64) -> String {
    "\(directory)/view-\(generation).build"
  }

  /// Path of the note on why and how fast a generation is being built.
  package func planPath(of generation: UInt64) -> String { "\(directory)/view-\(generation).plan" }

  private func dirtyPath(of generation: UInt64) -> String {
    "\(directory)/view-\(generation).dirty"
  }

  /// The serving generation, or nil when none was ever made.
  /// - Throws: `.corrupt` when `CURRENT` does not hold a number.
  package func current() throws(CairnError) -> UInt64? { try serving()?.current }

  /// The serving generation, and the candidate that takes over with the commit of a purge; nil when
  /// none was ever made.
  /// - Throws: `.corrupt` when `CURRENT` does not hold a number.
  package func serving() throws(CairnError) -> (current: UInt64, candidate: UInt64?)? {
    guard let text = try SmallFile.read(currentPath) else { return nil }
    let lines = text.split(separator: "\n")
    let candidate = lines.dropFirst().first.flatMap { line in
      line.hasPrefix(Self.candidateWord) ? UInt64(line.dropFirst(Self.candidateWord.count)) : nil
    }
    guard let first = lines.first, let number = UInt64(first), number > 0,
      lines.count == (candidate == nil ? 1 : 2)
    else {
      throw CairnError(
        .corrupt, "does not name a generation; delete it", place: "CURRENT", remedy: .rebuild)
    }
    return (number, candidate)
  }

  private static let candidateWord = "purge "

  /// Forgets which generation serves; the next process that writes builds one.
  package func forgetCurrent() throws(CairnError) { try SmallFile.remove(currentPath) }

  /// Names the generation that takes over when the log holds the purge it was built for.
  ///
  /// So one commit of the log makes what is purged unreadable in every process.
  package func prepare(_ candidate: UInt64, after current: UInt64) throws(CairnError) {
    try SmallFile.replace(currentPath, with: "\(current)\n\(Self.candidateWord)\(candidate)\n")
  }

  /// Marks a generation as built for a purge, which no rebuild may go on with.
  package func markCandidate(_ generation: UInt64) throws(CairnError) {
    try SmallFile.replace(candidatePath(of: generation), with: "")
  }

  /// Whether a generation was built for a purge.
  package func isCandidate(_ generation: UInt64) throws(CairnError) -> Bool {
    try SmallFile.read(candidatePath(of: generation)) != nil
  }

  /// Makes a generation that was built for a purge one like others.
  package func unmarkCandidate(_ generation: UInt64) throws(CairnError) {
    try SmallFile.remove(candidatePath(of: generation))
  }

  /// Makes a generation the serving one, atomically and durably.
  package func setCurrent(_ generation: UInt64) throws(CairnError) {
    try SmallFile.replace(currentPath, with: "\(generation)\n")
  }

  /// How far a generation's file can be relied on.
  package enum Trust: Sendable {
    /// Everything was flushed.
    case flushed
    /// There are changes that were made since this boot and not flushed.
    case dirty
    /// There were such changes when the machine went down.
    case lost
  }

  /// How far a generation's file can be relied on.
  package func trust(in generation: UInt64) throws(CairnError) -> Trust {
    guard let boot = try SmallFile.read(dirtyPath(of: generation)) else { return .flushed }
    return try boot == Self.bootIdentifier() ? .dirty : .lost
  }

  /// Notes, durably, that the generation is about to get changes that are not flushed.
  package func markDirty(_ generation: UInt64) throws(CairnError) {
    try SmallFile.replace(dirtyPath(of: generation), with: Self.bootIdentifier())
  }

  /// Notes that everything in the generation was flushed.
  package func markClean(_ generation: UInt64) throws(CairnError) {
    try SmallFile.remove(dirtyPath(of: generation))
  }

  package func remove(_ generation: UInt64) throws(CairnError) {
    try SmallFile.remove(path(of: generation))
    try SmallFile.remove(path(of: generation) + "-lock")
    try SmallFile.remove(buildPath(of: generation))
    let replaced = [
      planPath(of: generation), dirtyPath(of: generation), candidatePath(of: generation),
    ]
    for path in replaced { try SmallFile.removeReplaced(path) }
  }

  /// Gives a generation's files a second, higher number, under which it can serve again.
  ///
  /// Links: until the lower number is removed both name the same pages and the same readers.
  package func link(_ generation: UInt64, as number: UInt64) throws(CairnError) {
    // Who was killed between the two names left the first one.
    try remove(number)
    let dirty = try SmallFile.read(dirtyPath(of: generation))
    if let dirty { try SmallFile.replace(dirtyPath(of: number), with: dirty) }
    let pairs = [path(of: generation) + "-lock", path(of: generation)]
    let links = [path(of: number) + "-lock", path(of: number)]
    for (old, new) in zip(pairs, links) {
      // SAFETY: the call reads two NUL-ended copies and keeps nothing.
      guard unsafe Glibc.link(old, new) == 0 else {
        throw CairnError.system(errno, "cannot be linked", path: old)
      }
    }
  }

  /// Numbers of all generations that have a file, ascending.
  package func all() throws(CairnError) -> [UInt64] {
    let names = try SmallFile.names(in: directory)
    return names.compactMap { name in
      guard name.hasPrefix("view-"), name.hasSuffix(".mdb") else { return nil }
      return UInt64(name.dropFirst(5).dropLast(4))
    }.sorted()
  }

  /// Identifies the running boot of this machine, or this process where the system does not tell:
  /// then no other trusts what was not flushed.
  private static func bootIdentifier() throws(CairnError) -> String {
    try knownBoot.withLock { (known) throws(CairnError) in
      if let known { return known }
      let boot =
        try SmallFile.read("/proc/sys/kernel/random/boot_id")
        ?? "process \(UInt64.random(in: .min ... .max))\n"
      known = boot
      return boot
    }
  }

  private static let knownBoot = Mutex<String?>(nil)
}
