// What sound, film and text have in common.

extension CSSearchableItemAttributeSet {
  /// Who edited it.
  public var editors: [String]? {
    get { self[texts: "editors"] }
    set { self[texts: "editors"] = newValue }
  }

  /// Who takes part.
  public var participants: [String]? {
    get { self[texts: "participants"] }
    set { self[texts: "participants"] = newValue }
  }

  /// The projects it belongs to.
  public var projects: [String]? {
    get { self[texts: "projects"] }
    set { self[texts: "projects"] = newValue }
  }

  /// When it was downloaded last.
  public var downloadedDate: Date? {
    get { self[date: "downloadedDate"] }
    set { self[date: "downloadedDate"] = newValue }
  }

  /// Where it came from.
  public var contentSources: [String]? {
    get { self[texts: "contentSources"] }
    set { self[texts: "contentSources"] = newValue }
  }

  /// What somebody noted about it.
  public var comment: String? {
    get { self[text: "comment"] }
    set { self[text: "comment"] = newValue }
  }

  /// Its copyright.
  public var copyright: String? {
    get { self[text: "copyright"] }
    set { self[text: "copyright"] = newValue }
  }

  /// When it was used last.
  public var lastUsedDate: Date? {
    get { self[date: "lastUsedDate"] }
    set { self[date: "lastUsedDate"] = newValue }
  }

  /// When its content was made.
  public var contentCreationDate: Date? {
    get { self[date: "contentCreationDate"] }
    set { self[date: "contentCreationDate"] = newValue }
  }

  /// When its content was last changed.
  public var contentModificationDate: Date? {
    get { self[date: "contentModificationDate"] }
    set { self[date: "contentModificationDate"] = newValue }
  }

  /// When it was put where it is.
  public var addedDate: Date? {
    get { self[date: "addedDate"] }
    set { self[date: "addedDate"] = newValue }
  }

  /// How long it lasts, in seconds.
  public var duration: NSNumber? {
    get { self[number: "duration"] }
    set { self[number: "duration"] = newValue }
  }

  /// Contacts it has to do with.
  public var contactKeywords: [String]? {
    get { self[texts: "contactKeywords"] }
    set { self[texts: "contactKeywords"] = newValue }
  }

  /// How it is encoded.
  public var codecs: [String]? {
    get { self[texts: "codecs"] }
    set { self[texts: "codecs"] = newValue }
  }

  /// The kinds of media it holds.
  public var mediaTypes: [String]? {
    get { self[texts: "mediaTypes"] }
    set { self[texts: "mediaTypes"] = newValue }
  }

  /// Whether it can be streamed; in queries `streamable`.
  public var isStreamable: NSNumber? {
    get { self[flag: "streamable"] }
    set { self[flag: "streamable"] = newValue }
  }

  /// The same as ``isStreamable``.
  public var streamable: NSNumber? {
    get { self[flag: "streamable"] }
    set { self[flag: "streamable"] = newValue }
  }

  /// Bits in a second, sound and pictures together.
  public var totalBitRate: NSNumber? {
    get { self[number: "totalBitRate"] }
    set { self[number: "totalBitRate"] = newValue }
  }

  /// Bits of pictures in a second.
  public var videoBitRate: NSNumber? {
    get { self[number: "videoBitRate"] }
    set { self[number: "videoBitRate"] = newValue }
  }

  /// Bits of sound in a second.
  public var audioBitRate: NSNumber? {
    get { self[number: "audioBitRate"] }
    set { self[number: "audioBitRate"] = newValue }
  }

  /// How it is delivered: 0 with a fast start, 1 by RTSP.
  public var deliveryType: NSNumber? {
    get { self[number: "deliveryType"] }
    set { self[number: "deliveryType"] = newValue }
  }

  /// The organizations it has to do with.
  public var organizations: [String]? {
    get { self[texts: "organizations"] }
    set { self[texts: "organizations"] = newValue }
  }

  /// The role of its maker.
  public var role: String? {
    get { self[text: "role"] }
    set { self[text: "role"] = newValue }
  }

  /// Its languages, as tags of BCP 47.
  public var languages: [String]? {
    get { self[texts: "languages"] }
    set { self[texts: "languages"] = newValue }
  }

  /// Who may do what with it.
  public var rights: String? {
    get { self[text: "rights"] }
    set { self[text: "rights"] = newValue }
  }

  /// Who published it.
  public var publishers: [String]? {
    get { self[texts: "publishers"] }
    set { self[texts: "publishers"] = newValue }
  }

  /// Who contributed to it.
  public var contributors: [String]? {
    get { self[texts: "contributors"] }
    set { self[texts: "contributors"] = newValue }
  }

  /// What time or place it covers.
  public var coverage: [String]? {
    get { self[texts: "coverage"] }
    set { self[texts: "coverage"] = newValue }
  }

  /// Its rating, of five stars.
  public var rating: NSNumber? {
    get { self[number: "rating"] }
    set { self[number: "rating"] = newValue }
  }

  /// What the rating says.
  public var ratingDescription: String? {
    get { self[text: "ratingDescription"] }
    set { self[text: "ratingDescription"] = newValue }
  }

  /// How often it was played.
  public var playCount: NSNumber? {
    get { self[number: "playCount"] }
    set { self[number: "playCount"] = newValue }
  }

  /// Information about it.
  public var information: String? {
    get { self[text: "information"] }
    set { self[text: "information"] = newValue }
  }

  /// Who directed it.
  public var director: String? {
    get { self[text: "director"] }
    set { self[text: "director"] = newValue }
  }

  /// Who produced it.
  public var producer: String? {
    get { self[text: "producer"] }
    set { self[text: "producer"] = newValue }
  }

  /// Its genre.
  public var genre: String? {
    get { self[text: "genre"] }
    set { self[text: "genre"] = newValue }
  }

  /// Who performs in it.
  public var performers: [String]? {
    get { self[texts: "performers"] }
    set { self[texts: "performers"] = newValue }
  }

  /// The format it had first.
  public var originalFormat: String? {
    get { self[text: "originalFormat"] }
    set { self[text: "originalFormat"] = newValue }
  }

  /// Where it came from first.
  public var originalSource: String? {
    get { self[text: "originalSource"] }
    set { self[text: "originalSource"] = newValue }
  }

  /// Whether it lies on this machine; in queries `local`.
  public var isLocal: NSNumber? {
    get { self[flag: "local"] }
    set { self[flag: "local"] = newValue }
  }

  /// The same as ``isLocal``.
  public var local: NSNumber? {
    get { self[flag: "local"] }
    set { self[flag: "local"] = newValue }
  }

  /// Whether its content is explicit: 1 for yes.
  public var contentRating: NSNumber? {
    get { self[flag: "contentRating"] }
    set { self[flag: "contentRating"] = newValue }
  }

  /// Its address; in queries `URL`.
  public var url: URL? {
    get { self[address: "URL"] }
    set { self[address: "URL"] = newValue }
  }
}
