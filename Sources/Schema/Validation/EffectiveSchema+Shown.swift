public import Events

extension EffectiveSchema {
  /// Whether shown attributes can differ from those that the events make.
  public var changesShown: Bool { !defaults.isEmpty || unknown == .ignore }

  /// What is shown of the attributes that events made: without those that are ignored, and with
  /// defaults where there is no value.
  /// - Complexity: O(attributes · log declared).
  public func shown(_ attributes: Attributes) -> Attributes {
    var shown = Attributes()
    for member in attributes
    where !HiddenAttribute.isHidden(member.key) && (unknown != .ignore || isKnown(member.key)) {
      shown[member.key] = member.value
    }
    for member in defaults {
      switch shown[member.key] {
      case nil, .null?: shown[member.key] = member.value
      default: break
      }
    }
    return shown
  }
}
