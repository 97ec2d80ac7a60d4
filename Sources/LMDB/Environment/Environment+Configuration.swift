extension Environment {
  /// How to open a file.
  package struct Configuration: Sendable {
    /// Whether the file may be changed.
    package enum Access: Sendable { case readWrite, readOnly }
    /// When a commit reaches the disk.
    package enum Durability: Sendable {
      /// Before `write` returns.
      case synchronous
      /// At the next `sync()`; a crash of the machine before it may ruin the file.
      case deferred
    }

    /// Whether the file may be changed.
    package var access: Access
    /// When a commit reaches the disk.
    package var durability: Durability
    /// All tables that will be used.
    package var tables: [TableName]
    /// Address space to reserve, in bytes; the file takes only what it holds.
    ///
    /// It grows when it is used up. A process has 128 TiB, so this leaves room for two thousand
    /// files.
    package var mapByteCount: Int
    /// The thread writes run on; nil starts one.
    package var writer: WriterThread?
    /// Whether to make the file when it is not there.
    package var create: Bool

    /// Describes how to open a file.
    package init(
      access: Access = .readWrite, durability: Durability = .synchronous, tables: [TableName],
      mapByteCount: Int = 1 << 36, writer: WriterThread? = nil, create: Bool = false
    ) {
      self.access = access
      self.durability = durability
      self.tables = tables
      self.mapByteCount = mapByteCount
      self.writer = writer
      self.create = create
    }
  }
}
