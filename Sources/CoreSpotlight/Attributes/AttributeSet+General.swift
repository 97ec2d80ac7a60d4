// What every item can have.

extension CSSearchableItemAttributeSet {
  /// What the item is called on screen.
  public var displayName: String? {
    get { self[text: "displayName"] }
    set { self[text: "displayName"] = newValue }
  }

  /// Other names it is known by.
  public var alternateNames: [String]? {
    get { self[texts: "alternateNames"] }
    set { self[texts: "alternateNames"] = newValue }
  }

  /// Where its file lies.
  public var path: String? {
    get { self[text: "path"] }
    set { self[text: "path"] = newValue }
  }

  /// Where its file lies, as an address.
  public var contentURL: URL? {
    get { self[address: "contentURL"] }
    set { self[address: "contentURL"] = newValue }
  }

  /// Where a picture of it lies.
  public var thumbnailURL: URL? {
    get { self[address: "thumbnailURL"] }
    set { self[address: "thumbnailURL"] = newValue }
  }

  /// Where a picture for dark surroundings lies.
  public var darkThumbnailURL: URL? {
    get { self[address: "darkThumbnailURL"] }
    set { self[address: "darkThumbnailURL"] = newValue }
  }

  /// A picture of it.
  public var thumbnailData: Data? {
    get { self[bytes: "thumbnailData"] }
    set { self[bytes: "thumbnailData"] = newValue }
  }

  /// The item it belongs to and goes with.
  public var relatedUniqueIdentifier: String? {
    get { self[text: "relatedUniqueIdentifier"] }
    set { self[text: "relatedUniqueIdentifier"] = newValue }
  }

  /// The item it belongs to, which it outlives.
  public var weakRelatedUniqueIdentifier: String? {
    get { self[text: "weakRelatedUniqueIdentifier"] }
    set { self[text: "weakRelatedUniqueIdentifier"] = newValue }
  }

  /// When anything known of it changed last.
  public var metadataModificationDate: Date? {
    get { self[date: "metadataModificationDate"] }
    set { self[date: "metadataModificationDate"] = newValue }
  }

  /// The identifier of its uniform type.
  public var contentType: String? {
    get { self[text: "contentType"] }
    set { self[text: "contentType"] = newValue }
  }

  /// The identifiers of all types it conforms to.
  public var contentTypeTree: [String]? {
    get { self[texts: "contentTypeTree"] }
    set { self[texts: "contentTypeTree"] = newValue }
  }

  /// Words that find it besides those of its texts.
  public var keywords: [String]? {
    get { self[texts: "keywords"] }
    set { self[texts: "keywords"] = newValue }
  }

  /// Its title, shown first in a result.
  public var title: String? {
    get { self[text: "title"] }
    set { self[text: "title"] = newValue }
  }

  /// Its version.
  public var version: String? {
    get { self[text: "version"] }
    set { self[text: "version"] = newValue }
  }

  /// Whether the person made it; in queries `userCreated`.
  public var isUserCreated: NSNumber? {
    get { self[flag: "userCreated"] }
    set { self[flag: "userCreated"] = newValue }
  }

  /// The same as ``isUserCreated``.
  public var userCreated: NSNumber? {
    get { self[flag: "userCreated"] }
    set { self[flag: "userCreated"] = newValue }
  }

  /// Whether the person owns it, by having bought it for instance; in queries `userOwned`.
  public var isUserOwned: NSNumber? {
    get { self[flag: "userOwned"] }
    set { self[flag: "userOwned"] = newValue }
  }

  /// The same as ``isUserOwned``.
  public var userOwned: NSNumber? {
    get { self[flag: "userOwned"] }
    set { self[flag: "userOwned"] = newValue }
  }

  /// Whether the person chose it, by marking it for instance; in queries `userCurated`.
  public var isUserCurated: NSNumber? {
    get { self[flag: "userCurated"] }
    set { self[flag: "userCurated"] = newValue }
  }

  /// The same as ``isUserCurated``.
  public var userCurated: NSNumber? {
    get { self[flag: "userCurated"] }
    set { self[flag: "userCurated"] = newValue }
  }
}
