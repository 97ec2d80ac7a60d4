/// Somebody who wrote, got or otherwise has to do with an item.
open class CSPerson: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: one property changes, behind a lock.
  /// The name shown.
  public let displayName: String?
  /// Telephone numbers, mail addresses or the like.
  public let handles: [String]
  /// What the handles are: the key of a contact's property.
  public let handleIdentifier: String
  private let contact = Guarded<String?>(nil)

  /// Makes a person.
  public init(displayName: String?, handles: [String], handleIdentifier: String) {
    self.displayName = displayName
    self.handles = handles
    self.handleIdentifier = handleIdentifier
    super.init()
  }

  /// The contact that the person was found to be.
  open var contactIdentifier: String? {
    get { contact { $0 } }
    set { contact { $0 = newValue } }
  }

  /// The same person.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CSPerson(
      displayName: displayName, handles: handles, handleIdentifier: handleIdentifier)
    copy.contactIdentifier = contactIdentifier
    return copy
  }

  /// Equal when name, handles and contact are.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CSPerson else { return false }
    return archived == other.archived
  }

  /// Hashes what `isEqual` compares.
  open override var hash: Int { archived.hashValue }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the person.
  open func encode(with coder: NSCoder) { coder.encode(archived as NSData, forKey: "person") }

  /// Reads what `encode(with:)` wrote.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "person") else { return nil }
    self.init(archived: Data(referencing: data))
  }
}

extension CSPerson {
  private struct Archive: Codable {
    var name: String?
    var handles: [String]
    var kind: String
    var contact: String?
  }

  /// The person as JSON, the same bytes for equal persons.
  var archived: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let archive = Archive(
      name: displayName, handles: handles, kind: handleIdentifier, contact: contactIdentifier)
    // An archive of texts always encodes.
    return (try? encoder.encode(archive)) ?? Data()
  }

  convenience init?(archived data: Data) {
    // Bytes that another program stored there are no person.
    guard let archive = try? JSONDecoder().decode(Archive.self, from: data) else { return nil }
    self.init(displayName: archive.name, handles: archive.handles, handleIdentifier: archive.kind)
    contactIdentifier = archive.contact
  }
}
