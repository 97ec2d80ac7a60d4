/// The name of an attribute that only the application knows.
///
/// Names are letters, digits and underscores of ASCII and do not begin with `kMD`.
open class CSCustomAttributeKey: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: nothing changes.
  /// The name, which queries use too.
  public let keyName: String
  /// Whether queries that name the key find its values.
  public let isSearchable: Bool
  /// Whether searches that name no attribute find its values.
  public let isSearchableByDefault: Bool
  /// Whether each value is expected to be rare.
  public let isUnique: Bool
  /// Whether values are arrays.
  public let isMultiValued: Bool

  /// Makes a key that queries may name; nil for a name that is none.
  public convenience init?(keyName: String) {
    self.init(
      keyName: keyName, searchable: true, searchableByDefault: false, unique: false,
      multiValued: false)
  }

  /// Makes a key; nil for a name that is none.
  public init?(
    keyName: String, searchable: Bool, searchableByDefault: Bool, unique: Bool, multiValued: Bool
  ) {
    guard Self.isName(keyName) else { return nil }
    self.keyName = keyName
    isSearchable = searchable
    isSearchableByDefault = searchableByDefault
    isUnique = unique
    isMultiValued = multiValued
    super.init()
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("kMD")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// The same key.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Equal when the names are.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CSCustomAttributeKey)?.keyName == keyName
  }

  /// Hashes the name.
  open override var hash: Int { keyName.hashValue }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the key.
  open func encode(with coder: NSCoder) {
    coder.encode(keyName as NSString, forKey: "name")
    coder.encode(isSearchable, forKey: "searchable")
    coder.encode(isSearchableByDefault, forKey: "searchableByDefault")
    coder.encode(isUnique, forKey: "unique")
    coder.encode(isMultiValued, forKey: "multiValued")
  }

  /// Reads what `encode(with:)` wrote.
  public required convenience init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.init(
      keyName: name as String, searchable: coder.decodeBool(forKey: "searchable"),
      searchableByDefault: coder.decodeBool(forKey: "searchableByDefault"),
      unique: coder.decodeBool(forKey: "unique"),
      multiValued: coder.decodeBool(forKey: "multiValued"))
  }
}
