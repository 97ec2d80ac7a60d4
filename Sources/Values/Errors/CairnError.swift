/// What went wrong, where, and what can be done about it: the one error of every layer.
///
/// Callers decide by ``code``; the wording is free to improve. Neither `message` nor `place` ever
/// holds an item's identifier, a title, a query or anything else that users wrote.
public struct CairnError: Error, Hashable, Sendable {
  /// The kind of an error.
  ///
  /// Open: a later release may tell more kinds apart, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case missing, notAStore, unsupportedFormat, busy, mapFull, readersFull, corrupt, diskFull
      case io, readOnly, badArgument, badQuery, badEvent, noSuchPoint, nameTaken, conflict
      case badSchema, malformed, notVerified, aborted, `internal`
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The code's name.
    public var description: String { kind.rawValue }

    /// The store, or a file of it, is not there.
    public static let missing = Code(.missing)
    /// The path holds something that is no store.
    public static let notAStore = Code(.notAStore)
    /// The store was written by a release this one does not know.
    public static let unsupportedFormat = Code(.unsupportedFormat)
    /// Another process held the writer for longer than the caller would wait.
    public static let busy = Code(.busy)
    /// The address space for a file, or the room of one transaction, is used up.
    public static let mapFull = Code(.mapFull)
    /// As many transactions read the store as its table of readers holds.
    public static let readersFull = Code(.readersFull)
    /// Stored bytes are damaged; nothing damaged was served.
    public static let corrupt = Code(.corrupt)
    /// The disk is full; what was committed stays.
    public static let diskFull = Code(.diskFull)
    /// The disk failed, or the system refused.
    public static let io = Code(.io)
    /// The store may only be read.
    public static let readOnly = Code(.readOnly)
    /// The call's arguments make no sense.
    public static let badArgument = Code(.badArgument)
    /// A filter or a query cannot be read; `offset` is the place in it.
    public static let badQuery = Code(.badQuery)
    /// An event is not one; `message` names the reason.
    public static let badEvent = Code(.badEvent)
    /// A schema breaks a rule; `message` is `POINTER: RULE: words`.
    public static let badSchema = Code(.badSchema)
    /// The point in time does not exist: beyond the head, in the future, or an unknown name.
    public static let noSuchPoint = Code(.noSuchPoint)
    /// A snapshot of that name exists already.
    public static let nameTaken = Code(.nameTaken)
    /// The store moved on from the state that the caller expected.
    public static let conflict = Code(.conflict)
    /// A checkpoint, a proof, a list of purges or a file is not written as its format says.
    public static let malformed = Code(.malformed)
    /// A signature, a proof or a tile does not show what it should.
    public static let notVerified = Code(.notVerified)
    /// The caller gave up on purpose.
    public static let aborted = Code(.aborted)
    /// A defect of Cairn itself.
    public static let `internal` = Code(.internal)

    /// Whether an error is of this kind, for `catch CairnError.Code.busy`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? CairnError)?.code == code
    }
  }

  /// The kind of the error.
  public var code: Code
  /// What happened, in one line.
  public var message: String
  /// The file, table or argument concerned, when there is one.
  public var place: String?
  /// Where in the text or bytes that were read, in bytes from their start.
  public var offset: Int?
  /// What mends it, where that is known.
  public var remedy: Remedy?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, place: String? = nil, at offset: Int? = nil,
    remedy: Remedy? = nil
  ) {
    self.code = code
    self.message = message
    self.place = place
    self.offset = offset
    self.remedy = remedy
  }
}

extension CairnError: CustomStringConvertible {
  /// One line: the place, what happened, the offset, and what mends it.
  public var description: String {
    var text = place.map { "\($0): \(message)" } ?? message
    if let offset { text += " (byte \(offset))" }
    if let remedy { text += "; \(remedy)" }
    return text
  }
}

extension CairnError {
  /// The same error, told of the store's own bytes in `place`, where any fault is damage.
  package func asDamage(in place: String) -> CairnError {
    CairnError(.corrupt, message, place: place, at: offset, remedy: remedy)
  }

  /// The same error, told of a place if it tells of none yet.
  package func placed(_ place: String) -> CairnError {
    var error = self
    error.place = error.place ?? place
    return error
  }
}
