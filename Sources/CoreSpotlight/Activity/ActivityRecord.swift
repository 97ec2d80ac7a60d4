import Cairn
import Foundation

/// A remembered activity: what of it is needed to find and to continue it.
struct ActivityRecord: Codable {
  var activityType: String
  /// What `UserInfoArchive` makes of the entries that are remembered.
  var userInfo: String
  var requiredUserInfoKeys: [String]?
  var persistentIdentifier: String?
  var targetContentIdentifier: String?
  var webpageURL: URL?
  var referrerURL: URL?
  var keywords: [String]
  /// The activity's own date; nil for the default.
  var expirationDate: Date?

  init(_ type: String, _ state: NSUserActivity.State) {
    activityType = type
    userInfo = UserInfoArchive.text(of: Self.remembered(state))
    requiredUserInfoKeys = state.requiredUserInfoKeys?.sorted()
    persistentIdentifier = state.persistentIdentifier
    targetContentIdentifier = state.targetContentIdentifier
    webpageURL = state.webpageURL
    referrerURL = state.referrerURL
    keywords = state.keywords.sorted()
    expirationDate = state.expirationDate
  }

  /// The record among the attributes of a stored item; nil for any other item.
  init?(_ attributes: Attributes) {
    guard let data = attributes[Reserved.activity]?.bytes,
      let record = try? JSONDecoder().decode(ActivityRecord.self, from: data)
    else { return nil }
    self = record
  }

  var archived: AttributeValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A record of texts and dates always encodes.
    return .data(Array((try? encoder.encode(self)) ?? Data()))
  }

  /// Apple's header says that no keys means all, its guide that a page makes it none: both hold.
  private static func remembered(_ state: NSUserActivity.State) -> [AnyHashable: Any] {
    let all = state.userInfo ?? [:]
    guard let keys = state.requiredUserInfoKeys else { return state.webpageURL == nil ? all : [:] }
    return all.filter { entry in (entry.key.base as? String).map { keys.contains($0) } ?? false }
  }

  /// What the record is called in the store: visits to the same content have the same name.
  func identifier(related: String?) -> String {
    let identity =
      if let persistentIdentifier { "p:" + persistentIdentifier } else if let related {
        "r:" + related
      } else if let webpageURL { "w:" + webpageURL.absoluteString } else {
        "t:" + activityType + " " + userInfo
      }
    guard identity.utf8.count > Self.identityByteCountMax else {
      return Reserved.activityPrefix + identity
    }
    return Reserved.activityPrefix + "h:" + Self.digest(of: identity)
  }

  private static let identityByteCountMax = 1_024

  /// FNV-1a (Fowler, Noll, Vo) forwards and backwards: 128 bits that tell long identities apart.
  private static func digest(of text: String) -> String {
    func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    return String(hash(text.utf8), radix: 16) + "-" + String(hash(text.utf8.reversed()), radix: 16)
  }

  /// The activity that an application is handed to continue.
  func activity(_ attributes: Attributes) -> NSUserActivity {
    let activity = NSUserActivity(activityType: activityType)
    activity.title = attributes["title"]?.string
    activity.userInfo = UserInfoArchive.entries(in: userInfo)
    activity.requiredUserInfoKeys = requiredUserInfoKeys.map { Set($0) }
    activity.keywords = Set(keywords)
    activity.persistentIdentifier = persistentIdentifier
    activity.targetContentIdentifier = targetContentIdentifier
    activity.webpageURL = webpageURL
    activity.referrerURL = referrerURL
    activity.expirationDate = expirationDate
    activity.isEligibleForSearch = true
    var values: Attributes = [:]
    for member in attributes where !Reserved.isHidden(member.key) && member.key != "webpageURL" {
      values[member.key] = member.value
    }
    activity.contentAttributeSet = CSSearchableItemAttributeSet(AttributeStorage(values))
    return activity
  }
}
