/// What every record that a filter keeps must fulfil: the part of the filter an index can serve.
///
/// It is necessary and seldom sufficient. A planner takes candidates from an index for the parts it has one
/// for and tests each candidate with the filter itself.
package indirect enum Requirement: Hashable, Sendable {
  /// Any record may match; only a scan can tell.
  case nothing
  /// No record matches.
  case impossible
  case constraint(Constraint)
  case all([Requirement])
  case any([Requirement])
}

/// A necessary condition on one of several attributes.
package struct Constraint: Hashable, Sendable {
  /// What a value must be like.
  package enum Condition: Hashable, Sendable {
    case present
    /// The whole text, up to what the options ignore (`c`, `d`; none: the same characters).
    case equals(String, TextPattern.Options)
    /// How the text begins, up to what the options ignore.
    case hasPrefix(String, TextPattern.Options)
    /// Somewhere in the text, up to case and diacritics.
    case contains(RequiredText)
    case lies(in: ScalarBounds)
  }

  /// Every spelling of every attribute that may fulfil it.
  package var names: [String]
  package var condition: Condition

  /// Makes a constraint.
  package init(names: [String], condition: Condition) {
    self.names = names
    self.condition = condition
  }
}

/// Text that a matching value holds, cut at the wildcards of the pattern.
///
/// An analyzer that cuts values into terms cuts this text the same way. Its first term is whole unless
/// `startsOpen`, its last unless `endsOpen`. With `w` a word may also start or end where lower case meets
/// upper case, so an index serves it only if it holds the parts of such words; the same goes for parts of runs in
/// scripts without blanks.
package struct RequiredText: Hashable, Sendable {
  package var text: String
  /// Letters may come before.
  package var startsOpen: Bool
  /// Letters may come after.
  package var endsOpen: Bool

  /// The runs of letters and digits in the text.
  package var words: [RequiredText] {
    var words: [RequiredText] = []
    var isInside = false
    for (index, character) in text.enumerated() {
      if character.isAlphanumeric {
        if isInside {
          words[words.count - 1].text.append(character)
        } else {
          words.append(
            RequiredText(
              text: String(character), startsOpen: index == 0 && startsOpen, endsOpen: false))
        }
      }
      isInside = character.isAlphanumeric
    }
    if isInside { words[words.count - 1].endsOpen = endsOpen }
    return words
  }
}

/// Where numbers and dates must lie.
///
/// Bounds are inclusive and never too narrow.
package struct ScalarBounds: Hashable, Sendable {
  /// For values that are numbers; nil when the query names a time, which no number equals.
  package var numbers: ClosedRange<Double>?
  /// For values that are dates.
  package var dates: ClosedRange<Instant>
}
