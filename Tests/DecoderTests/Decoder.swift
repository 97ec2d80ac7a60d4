/// Everything that turns bytes from a disk, a pipe or a user into values.
///
/// Whatever the bytes, a decoder gives a value or refuses; it never traps. What it takes has to
/// survive being written and read again. Run by the suite on mutated examples, and by the fuzzer
/// (`make fuzz`) on what it comes up with.
enum Decoder: String, CaseIterable, Sendable {
  /// A line of NDJSON.
  case line
  /// An event's payload: its kind, then canonical CBOR.
  case payload
  /// A row of the log: which, then its value; among them the header.
  case logRow
  /// A run of postings.
  case postings
  /// Another row of the text index: which, then its value.
  case textRow
  /// A row of another projection: which, then its value.
  case projectionRow
  /// A signed note, a checkpoint, a key.
  case note
  /// A proof file, a witness's request, a tile, and proofs of any shape.
  case proof
  /// A filter in the query language, or a time.
  case filter
  /// Text and search text, in any script.
  case text
  /// A page of the web, and the files that hold pages.
  case page
  /// An archive of what a crawler was answered, given in two pieces.
  case webArchive
  /// An association file, and a URL to ask of it.
  case association
  /// A robots.txt, and a URL to ask of it.
  case robots
  /// A sitemap.
  case sitemap
  /// A file of another program's history: which format, then the file.
  case history
  /// An answer of a web server.
  case answer
  /// What is packed: the form, then the bytes.
  case packed
  /// A table of events, and a CloudEvent.
  case table
  /// A schema, and its steps.
  case schema
  /// A query in ActivityWatch's language.
  case activityQuery
  /// A watcher's event, a time, a pattern.
  case activity

  /// Feeds the decoder.
  ///
  /// - Throws: `DecoderFault` when something is taken that does not survive being written.
  func run(_ bytes: [UInt8]) throws {
    switch self {
    case .line: try EventDecoders.line(bytes)
    case .payload: try EventDecoders.payload(bytes)
    case .logRow: try LogDecoders.row(bytes)
    case .postings: try TextIndexDecoders.postings(bytes)
    case .textRow: try TextIndexDecoders.row(bytes)
    case .projectionRow: try ProjectionDecoders.row(bytes)
    case .note: try EvidenceDecoders.note(bytes)
    case .proof: try EvidenceDecoders.proof(bytes)
    case .filter: try QueryDecoders.filter(bytes)
    case .text: try QueryDecoders.text(bytes)
    case .page: try MarkupDecoders.page(bytes)
    case .webArchive: try MarkupDecoders.webArchive(bytes)
    case .association: try MarkupDecoders.association(bytes)
    case .robots: try MarkupDecoders.robots(bytes)
    case .sitemap: try MarkupDecoders.sitemap(bytes)
    case .history: try ImporterDecoders.file(bytes)
    case .answer: try WireDecoders.answer(bytes)
    case .packed: try WireDecoders.unpack(bytes)
    case .table: try WireDecoders.table(bytes)
    case .schema: try SchemaDecoders.file(bytes)
    case .activityQuery: try ActivityDecoders.query(bytes)
    case .activity: try ActivityDecoders.event(bytes)
    }
  }

  /// Well-formed examples to begin from.
  func examples() throws -> [[UInt8]] {
    switch self {
    case .line: EventDecoders.lines
    case .payload: try EventDecoders.payloads()
    case .logRow: try LogDecoders.rows()
    case .postings: TextIndexDecoders.chunks()
    case .textRow: TextIndexDecoders.rows()
    case .projectionRow: ProjectionDecoders.rows()
    case .note: try EvidenceDecoders.notes()
    case .proof: try EvidenceDecoders.proofs()
    case .filter: QueryDecoders.filters
    case .text: QueryDecoders.texts
    case .page: MarkupDecoders.pages
    case .webArchive: MarkupDecoders.webArchives
    case .association: MarkupDecoders.associations
    case .robots: MarkupDecoders.robotsFiles
    case .sitemap: MarkupDecoders.sitemaps
    case .history: ImporterDecoders.files
    case .answer: WireDecoders.answers
    case .packed: WireDecoders.packed
    case .table: WireDecoders.tables
    case .schema: SchemaDecoders.files
    case .activityQuery: ActivityDecoders.queries
    case .activity: ActivityDecoders.events
    }
  }
}

/// Something was taken that does not survive being written and read again.
struct DecoderFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw DecoderFault(what()) }
  }
}
