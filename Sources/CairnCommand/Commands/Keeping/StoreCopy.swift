import Cairn
import Glibc

/// A new store that stands where another stood at a sequence.
struct StoreCopy {
  let source: Store
  let through: UInt64
  let directory: String

  init(from source: Store, through: UInt64, into directory: String) {
    self.source = source
    self.through = through
    self.directory = directory
  }

  /// Fails with 64, before anything is written, where the directory holds something.
  func run() throws(Failure) {
    try Self.checkEmpty(directory)
    let directory = directory
    let point = Point.sequence(through)
    try answering(source.copy(at: try source.at(point), into: directory))
  }

  /// That nothing of anybody's is in the way.
  static func checkEmpty(_ directory: String) throws(Failure) {
    // SAFETY: the stream is closed where it was opened; the path is a NUL-ended copy.
    guard let stream = unsafe opendir(directory) else {
      if errno == ENOENT { return }
      throw Failure(
        .usage, "is no directory that could be filled; name one that is absent or empty",
        place: directory)
    }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    // Every directory lists itself and its parent.
    guard count <= 2 else {
      throw Failure(
        .usage, "is not empty; name a directory that is absent or empty", place: directory)
    }
  }
}
