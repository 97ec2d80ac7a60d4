// What sound, film and text have in common.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// Who edited it.
  public var editors: Attribute<[String]> { .texts("editors") }
  /// Who takes part.
  public var participants: Attribute<[String]> { .texts("participants") }
  /// The projects it belongs to.
  public var projects: Attribute<[String]> { .texts("projects") }
  /// When it was downloaded last.
  public var downloadedDate: Attribute<Date> { .date("downloadedDate") }
  /// Where it came from.
  public var contentSources: Attribute<[String]> { .texts("contentSources") }
  /// What somebody noted about it.
  public var comment: Attribute<String> { .text("comment") }
  /// Its copyright.
  public var copyright: Attribute<String> { .text("copyright") }
  /// When it was used last.
  public var lastUsedDate: Attribute<Date> { .date("lastUsedDate") }
  /// When its content was made.
  public var contentCreationDate: Attribute<Date> { .date("contentCreationDate") }
  /// When its content was last changed.
  public var contentModificationDate: Attribute<Date> { .date("contentModificationDate") }
  /// When it was put where it is.
  public var addedDate: Attribute<Date> { .date("addedDate") }
  /// How long it lasts, in seconds.
  public var duration: Attribute<NSNumber> { .number("duration") }
  /// Contacts it has to do with.
  public var contactKeywords: Attribute<[String]> { .texts("contactKeywords") }
  /// How it is encoded.
  public var codecs: Attribute<[String]> { .texts("codecs") }
  /// The kinds of media it holds.
  public var mediaTypes: Attribute<[String]> { .texts("mediaTypes") }
  /// Whether it can be streamed; in queries `streamable`.
  public var isStreamable: Attribute<NSNumber> { .flag("streamable") }
  /// The same as ``isStreamable``.
  public var streamable: Attribute<NSNumber> { .flag("streamable") }
  /// Bits in a second, sound and pictures together.
  public var totalBitRate: Attribute<NSNumber> { .number("totalBitRate") }
  /// Bits of pictures in a second.
  public var videoBitRate: Attribute<NSNumber> { .number("videoBitRate") }
  /// Bits of sound in a second.
  public var audioBitRate: Attribute<NSNumber> { .number("audioBitRate") }
  /// How it is delivered: 0 with a fast start, 1 by RTSP.
  public var deliveryType: Attribute<NSNumber> { .number("deliveryType") }
  /// The organizations it has to do with.
  public var organizations: Attribute<[String]> { .texts("organizations") }
  /// The role of its maker.
  public var role: Attribute<String> { .text("role") }
  /// Its languages, as tags of BCP 47.
  public var languages: Attribute<[String]> { .texts("languages") }
  /// Who may do what with it.
  public var rights: Attribute<String> { .text("rights") }
  /// Who published it.
  public var publishers: Attribute<[String]> { .texts("publishers") }
  /// Who contributed to it.
  public var contributors: Attribute<[String]> { .texts("contributors") }
  /// What time or place it covers.
  public var coverage: Attribute<[String]> { .texts("coverage") }
  /// Its rating, of five stars.
  public var rating: Attribute<NSNumber> { .number("rating") }
  /// What the rating says.
  public var ratingDescription: Attribute<String> { .text("ratingDescription") }
  /// How often it was played.
  public var playCount: Attribute<NSNumber> { .number("playCount") }
  /// Information about it.
  public var information: Attribute<String> { .text("information") }
  /// Who directed it.
  public var director: Attribute<String> { .text("director") }
  /// Who produced it.
  public var producer: Attribute<String> { .text("producer") }
  /// Its genre.
  public var genre: Attribute<String> { .text("genre") }
  /// Who performs in it.
  public var performers: Attribute<[String]> { .texts("performers") }
  /// The format it had first.
  public var originalFormat: Attribute<String> { .text("originalFormat") }
  /// Where it came from first.
  public var originalSource: Attribute<String> { .text("originalSource") }
  /// Whether it lies on this machine; in queries `local`.
  public var isLocal: Attribute<NSNumber> { .flag("local") }
  /// The same as ``isLocal``.
  public var local: Attribute<NSNumber> { .flag("local") }
  /// Whether its content is explicit: 1 for yes.
  public var contentRating: Attribute<NSNumber> { .flag("contentRating") }
  /// Its address; in queries `URL`.
  public var url: Attribute<URL> { .address("URL") }
}
