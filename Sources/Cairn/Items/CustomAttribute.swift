import Projections

/// Names for the attributes of an application's own keys.
///
/// A key is written as it is. Text that search and the fields `*` and `**` of a filter are to find
/// is written once more under ``searched(_:)``; dates are written under ``date(_:)``, and what
/// cannot be compared under ``opaque(_:)``, in place of the key, and filters find them by the key.
package enum CustomAttribute {
  /// The name for what search finds of a key's text.
  package static func searched(_ key: String) -> String { searchedPrefix + key }

  package static func date(_ key: String) -> String { datePrefix + key }

  /// The name for a key's values that a filter can only find to be there.
  package static func opaque(_ key: String) -> String { opaquePrefix + key }

  /// The key whose dates an attribute holds; nil for any other attribute.
  package static func key(ofDates name: String) -> String? {
    name.hasPrefix(datePrefix) ? String(name.dropFirst(datePrefix.count)) : nil
  }

  private static let searchedPrefix = String(decoding: CustomName.text, as: UTF8.self)
  private static let opaquePrefix = String(decoding: CustomName.opaque, as: UTF8.self)
  private static let datePrefix = String(decoding: CustomName.date, as: UTF8.self)
}
