/// What a person asked for, in terms: clauses in the order of the text.
package struct QueryTokens: Sendable, Equatable {
  package struct Term: Sendable, Equatable {
    package var space: TermSpace
    /// Folded bytes.
    package var bytes: [UInt8]
    /// The same word as it is typed without its letters (`lodz` for `łodz`), or as its capitals
    /// fold where they are others: of `ışık` they are `IŞIK`, which is `isik`.
    package var variant: [UInt8]?
    /// Distance from the first term of the clause: a match has its terms at the same distances.
    package var position: UInt32
    /// Any term that begins with the bytes is meant: one character of an unspaced script.
    package var isPrefix: Bool
    /// Bytes of the query text it stands for.
    package var sourceRange: Range<Int>

    /// Whether it is an emoji or another pictograph, which has the position of the word after it:
    /// what else is a term begins with a letter, a digit or a mark.
    package var isSymbol: Bool {
      guard space == .word, let first = String(decoding: bytes, as: UTF8.self).unicodeScalars.first
      else { return false }
      let properties = first.properties
      switch properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: return false
      default: return !properties.isAlphabetic && properties.numericType == nil
      }
    }
  }

  /// Terms that belong together.
  package struct Clause: Sendable, Equatable {
    /// How the terms belong together.
    package enum Kind: Sendable, Equatable {
      case word
      /// Words joined by punctuation, as in `node.js`, or words and runs joined by nothing, as in
      /// `第2章`: the text meant has them side by side.
      case joined
      /// Characters of a script without spaces: a substring of a run.
      case run
      /// Quoted by the asker.
      case phrase
    }

    /// How the terms belong together.
    package var kind: Kind
    /// At least one, in order of position; more than one means a phrase.
    package var terms: [Term]
    /// Pieces of a single camel-case or alphanumeric word, which may stand apart in a text.
    package var parts: [[UInt8]]
    /// Words a dictionary finds in a run of Thai, Lao, Khmer or Burmese, for ranking.
    package var words: [[UInt8]]

    /// Whether only terms side by side match.
    package var isPhrase: Bool { terms.count > 1 }

    /// The same with some of its terms only.
    fileprivate func with(_ range: Range<Int>) -> Clause {
      var clause = self
      clause.terms = Array(terms[range])
      let start = terms[range.lowerBound].position
      for index in clause.terms.indices { clause.terms[index].position -= start }
      return clause
    }
  }

  /// In order of the text.
  package var clauses: [Clause] = []
  /// Whether the last word reaches the end of the text, or stars there: more letters may follow.
  package var isOpen = false

  /// Whether nothing can match: an empty or punctuation-only query.
  package var isEmpty: Bool { clauses.isEmpty }

  /// The first terms, and the others behind the last of these, so that what stands side by side
  /// goes on there; nil where there are no more terms than so many, which are two or more.
  /// - Complexity: O(terms).
  package func split(after termCount: Int) -> (first: QueryTokens, rest: QueryTokens)? {
    var (first, rest) = (QueryTokens(), QueryTokens(isOpen: isOpen))
    var room = termCount
    for clause in clauses {
      if rest.isEmpty, clause.terms.count <= room {
        first.clauses.append(clause)
        room -= clause.terms.count
      } else if rest.isEmpty, clause.isPhrase, room > 0 {
        first.clauses.append(clause.with(0..<room))
        rest.clauses.append(clause.with(room - 1..<clause.terms.count))
      } else {
        if rest.isEmpty, let last = first.clauses.last {
          rest.clauses.append(last.with(last.terms.count - 1..<last.terms.count))
        }
        rest.clauses.append(clause)
      }
    }
    return rest.isEmpty ? nil : (first, rest)
  }
}
