import Cairn

/// The names that the façade keeps for itself in a store.
///
/// Attribute names hold a dot, so no query can name them; identifiers begin with a control
/// character, so they come first in every list and can be told from the application's own.
enum Reserved {
  static let mark: Character = "\u{1}"
  static let activityPrefix = LayeredItem.recordPrefix
  static let policyItem = "\u{1}policy"
  static let acknowledgedItem = "\u{1}acknowledged"

  static let index = "cairn.index"
  static let protection = "cairn.protection"
  static let activity = "cairn.activity"
  static let value = "cairn.value"
  private static let hidden: Set = [index, protection, activity, value]

  static func stateItem(_ indexName: String) -> String { "\u{1}state:\(indexName)" }

  static func isReserved(_ identifier: String) -> Bool { identifier.first == mark }

  static func isHidden(_ attribute: String) -> Bool { hidden.contains(attribute) }

  /// Where the value of a custom key that queries may not find is kept.
  static func customName(_ key: String) -> String { "cairn.custom." + key }

  /// The custom key that an attribute belongs to, when its name is another.
  static func customKey(of attribute: String) -> String? {
    if let key = CustomAttribute.key(ofDates: attribute) { return key }
    for prefix in [CustomAttribute.opaque(""), customName(""), CustomAttribute.searched("")]
    where attribute.hasPrefix(prefix) {
      let name = String(attribute.dropFirst(prefix.count))
      return customKey(of: name) ?? name
    }
    return nil
  }
}
