package import Events

/// The part of an event that steps change, and what they have to know of its item.
package struct EventShape: Sendable, Equatable {
  /// What the event does to its item's attributes.
  package enum Role: Sendable, Equatable {
    case index
    /// A `view` of an item that is not there: with a title it makes it.
    case firstView
    /// A `view` of an item that is there: it changes nothing.
    case laterView
    case update
    /// Any other: it has no attributes.
    case other
  }

  package var role: Role
  /// The domain that the event names.
  package var domain: Change<String>
  /// The domain of the item before the event, as seen when it was recorded; empty for none.
  package var itemDomain: String
  package var attributes: Attributes
  /// What the item had before the event as the version in force makes it, parts of joined texts
  /// among it, by ``HiddenAttribute``.
  package var had: Attributes
  /// The item's domain then; empty for none.
  package var hadDomain: String
  /// What the item had as it was seen at this place of the way; empty where no one asks.
  var seen: Attributes = [:]
  /// Keys of an update whose values steps have put elsewhere: what the item has there from before,
  /// and no step could take, was overwritten.
  private(set) var gone: Set<String> = []

  package init(
    role: Role, domain: Change<String> = .absent, itemDomain: String = "",
    attributes: Attributes = [:], had: Attributes = [:], hadDomain: String = ""
  ) {
    self.role = role
    self.domain = domain
    self.itemDomain = itemDomain
    self.attributes = attributes
    self.had = had
    self.hadDomain = hadDomain
  }

  /// The domain by which steps and declarations are chosen.
  package var place: String {
    switch domain {
    case .value(let domain): domain
    case .cleared: ""
    case .absent:
      switch role {
      case .index, .firstView: ""
      case .update, .laterView, .other: itemDomain
      }
    }
  }

  var isUpdate: Bool { role == .update }

  /// Takes away what a step has put elsewhere.
  mutating func take(_ key: String) {
    attributes[key] = nil
    if isUpdate { gone.insert(key) }
  }

  /// Notes that a step makes a key: from here on it stands for something else.
  mutating func make(_ key: String, of source: String? = nil) {
    guard !gone.isEmpty else { return }
    gone.remove(key)
    if let source, gone.remove(source) != nil { gone.insert(key) }
  }

  /// Removes from the item what stands where steps have taken values away.
  mutating func removeGone() {
    for key in gone where attributes[key] == nil { attributes[key] = .null }
    gone = []
  }

  /// Gives domains that a move covers their new names.
  mutating func move(from: String, to: String) {
    if case .value(let own) = domain, let moved = DomainPath.moved(own, from: from, to: to) {
      domain = .value(moved)
    }
    itemDomain = DomainPath.moved(itemDomain, from: from, to: to) ?? itemDomain
  }

  package var makesItem: Bool {
    switch role {
    case .index: return true
    case .firstView:
      if case .string(let title)? = attributes["title"] { return !title.isEmpty }
      return false
    case .laterView, .update, .other: return false
    }
  }
}

/// Attributes that only the fold sees: never shown, never in a file of a schema.
package enum HiddenAttribute {
  static let prefix = "cairn.schema."

  /// Under what a part of a joined text is kept, so that a later update can be joined with it.
  static func part(_ key: String, of step: String) -> String { "\(prefix)part.\(step).\(key)" }

  package static func isHidden(_ key: String) -> Bool { key.utf8.starts(with: prefix.utf8) }

  /// The same for the bytes of a key.
  package static func isHidden(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes[range].starts(with: prefix.utf8)
  }
}
