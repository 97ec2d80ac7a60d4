import Cairn

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
    let directory = directory
    let point = Point.sequence(through)
    try answering(source.copy(at: try source.at(point), into: directory))
  }
}
