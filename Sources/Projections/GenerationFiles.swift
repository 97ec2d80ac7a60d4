import Glibc
package import LMDB

/// The files of a store that hold projections, and which generation serves.
///
/// `view-N.mdb` is one generation of every projection and can be deleted at any time; `CURRENT`
/// names the one that serves and is replaced atomically. `view-N.dirty` exists while the
/// generation has changes that were handed to the system but not flushed, and holds the boot
/// they were made in: after a power cut the generation is folded again, never trusted.
package struct GenerationFiles: Sendable {
  /// The store's directory.
  package var directory: String

  /// Names the files of a store.
  package init(directory: String) {
    self.directory = directory
  }

  /// Path of a generation's environment.
  package func path(of generation: UInt64) -> String {
    "\(directory)/view-\(generation).mdb"
  }

  private var currentPath: String { "\(directory)/CURRENT" }

  private func dirtyPath(of generation: UInt64) -> String {
    "\(directory)/view-\(generation).dirty"
  }

  /// The serving generation, or nil when none was ever made.
  ///
  /// - Throws: `.corrupt` when `CURRENT` does not hold a number.
  package func current() throws(StorageError) -> UInt64? {
    guard let text = try SmallFile.read(currentPath) else { return nil }
    guard let number = UInt64(text.prefix { $0 != "\n" }), number > 0 else {
      throw StorageError(
        .corrupt,
        "does not name a generation; delete it and run: cairn rebuild",
        place: "CURRENT"
      )
    }
    return number
  }

  /// Makes a generation the serving one, atomically and durably.
  package func setCurrent(_ generation: UInt64) throws(StorageError) {
    try SmallFile.replace(currentPath, with: "\(generation)\n")
  }

  /// Whether the generation's changes survive a power cut, or were made since this boot.
  package func isTrusted(_ generation: UInt64) throws(StorageError) -> Bool {
    guard let boot = try SmallFile.read(dirtyPath(of: generation)) else { return true }
    return try boot == Self.bootIdentifier()
  }

  /// Whether the generation has unflushed changes.
  package func isDirty(_ generation: UInt64) throws(StorageError) -> Bool {
    try SmallFile.read(dirtyPath(of: generation)) != nil
  }

  /// Notes, durably, that the generation is about to get changes that are not flushed.
  package func markDirty(_ generation: UInt64) throws(StorageError) {
    try SmallFile.replace(dirtyPath(of: generation), with: Self.bootIdentifier())
  }

  /// Notes that everything in the generation was flushed.
  package func markClean(_ generation: UInt64) throws(StorageError) {
    try SmallFile.remove(dirtyPath(of: generation))
  }

  /// Deletes a generation's files.
  package func remove(_ generation: UInt64) throws(StorageError) {
    try SmallFile.remove(path(of: generation))
    try SmallFile.remove(path(of: generation) + "-lock")
    try SmallFile.remove(dirtyPath(of: generation))
  }

  /// Numbers of all generations that have a file, ascending.
  package func all() throws(StorageError) -> [UInt64] {
    let names = try SmallFile.names(in: directory)
    return names.compactMap { name in
      guard name.hasPrefix("view-"), name.hasSuffix(".mdb") else { return nil }
      return UInt64(name.dropFirst(5).dropLast(4))
    }.sorted()
  }

  /// Identifies the running boot of this machine.
  private static func bootIdentifier() throws(StorageError) -> String {
    try SmallFile.read("/proc/sys/kernel/random/boot_id") ?? "unknown"
  }
}
