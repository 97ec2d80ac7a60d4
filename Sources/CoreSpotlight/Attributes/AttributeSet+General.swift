// What every item can have.

extension CSSearchableItemAttributeSet.KnownAttributes {
  /// What the item is called on screen.
  public var displayName: Attribute<String> { .text("displayName") }
  /// Other names it is known by.
  public var alternateNames: Attribute<[String]> { .texts("alternateNames") }
  /// Where its file lies.
  public var path: Attribute<String> { .text("path") }
  /// Where its file lies, as an address.
  public var contentURL: Attribute<URL> { .address("contentURL") }
  /// Where a picture of it lies.
  public var thumbnailURL: Attribute<URL> { .address("thumbnailURL") }
  /// Where a picture for dark surroundings lies.
  public var darkThumbnailURL: Attribute<URL> { .address("darkThumbnailURL") }
  /// A picture of it.
  public var thumbnailData: Attribute<Data> { .bytes("thumbnailData") }
  /// The item it belongs to and goes with.
  public var relatedUniqueIdentifier: Attribute<String> { .text("relatedUniqueIdentifier") }
  /// The item it belongs to, which it outlives.
  public var weakRelatedUniqueIdentifier: Attribute<String> { .text("weakRelatedUniqueIdentifier") }
  /// When anything known of it changed last.
  public var metadataModificationDate: Attribute<Date> { .date("metadataModificationDate") }
  /// The identifier of its uniform type.
  public var contentType: Attribute<String> { .text("contentType") }
  /// The identifiers of all types it conforms to.
  public var contentTypeTree: Attribute<[String]> { .texts("contentTypeTree") }
  /// Words that find it besides those of its texts.
  public var keywords: Attribute<[String]> { .texts("keywords") }
  /// Its title, shown first in a result.
  public var title: Attribute<String> { .text("title") }
  /// Its version.
  public var version: Attribute<String> { .text("version") }
  /// Whether the person made it; in queries `userCreated`.
  public var isUserCreated: Attribute<NSNumber> { .flag("userCreated") }
  /// The same as ``isUserCreated``.
  public var userCreated: Attribute<NSNumber> { .flag("userCreated") }
  /// Whether the person owns it, by having bought it for instance; in queries `userOwned`.
  public var isUserOwned: Attribute<NSNumber> { .flag("userOwned") }
  /// The same as ``isUserOwned``.
  public var userOwned: Attribute<NSNumber> { .flag("userOwned") }
  /// Whether the person chose it, by marking it for instance; in queries `userCurated`.
  public var isUserCurated: Attribute<NSNumber> { .flag("userCurated") }
  /// The same as ``isUserCurated``.
  public var userCurated: Attribute<NSNumber> { .flag("userCurated") }
}
