import Glibc
import Text

@testable import TextIndex

/// The index as a list of versions, searched by reading all of them: slow and obviously right.
struct Oracle {
  struct Key: Hashable {
    var space: TermSpace
    var bytes: [UInt8]
  }

  struct Place: Hashable {
    var kind: Int
    var position: UInt32
  }

  struct Version {
    var item: UInt32
    var document: UInt32
    var from: UInt64
    var to: UInt64?
    var places: [Key: [Place]] = [:]
    var lengths: [UInt32] = [0, 0, 0, 0]
    /// What else than once a place counts.
    var weights: [Place: Float] = [:]
    var titles: [(start: UInt32, length: UInt32)] = []

    func sees(_ point: UInt64?) -> Bool {
      guard let point else { return to == nil }
      return from <= point && (to.map { $0 > point } ?? true)
    }
  }

  private(set) var versions: [Version] = []
  private var present: [UInt32: Int] = [:]
  private var vocabulary: Set<Key> = []

  mutating func put(_ item: UInt32, _ sequence: UInt64, _ fields: [(TextIndex.FieldKind, String)]) {
    var version = Version(item: item, document: 0, from: sequence)
    var buffer = TokenBuffer()
    for kind in TextIndex.FieldKind.allCases {
      var start: UInt32 = 0
      for (_, known) in fields.filter({ $0.0 == kind }) {
        let (text, weight) = Fixture.parts(known)
        Analyzer().analyze(Array(text.utf8), into: &buffer)
        guard let last = buffer.tokens.last else { continue }
        let length = max(buffer.positionCount, last.position + 1)
        for token in buffer.tokens {
          let key = Key(space: token.space, bytes: buffer.term(token))
          let place = Place(kind: Int(kind.rawValue), position: start + token.position)
          version.places[key, default: []].append(place)
          if weight != 1 { version.weights[place] = weight }
        }
        if kind == .title { version.titles.append((start, length)) }
        version.lengths[Int(kind.rawValue)] += length
        start += length + 100
      }
    }
    guard !version.places.isEmpty else { return remove(item, sequence) }
    if let old = present[item], isSame(versions[old], version) { return }
    remove(item, sequence)
    version.document = UInt32(versions.count + 1)
    present[item] = versions.count
    versions.append(version)
    vocabulary.formUnion(version.places.keys)
  }

  mutating func remove(_ item: UInt32, _ sequence: UInt64) {
    guard let old = present.removeValue(forKey: item) else { return }
    versions[old].to = sequence
  }

  private func isSame(_ left: Version, _ right: Version) -> Bool {
    left.places == right.places && left.lengths == right.lengths && left.weights == right.weights
      && left.titles.map { $0.start } == right.titles.map { $0.start }
      && left.titles.map { $0.length } == right.titles.map { $0.length }
  }
}

extension Oracle {
  /// A term that stands for a word: the weight of its class and how it matches.
  struct Meaning {
    var key: Key
    var match: TermMatch
    var edits = 0
  }

  struct Word {
    var clause: Int
    var position: UInt32
    var meanings: [Meaning]
    var inverseFrequency: Double
    var isPrefix: Bool
  }

  func search(_ request: TextIndex.Request, bonus: (UInt32) -> Double, accept: (UInt32) -> Bool)
    -> [TextIndex.Hit]
  {
    for forced in request.typoTolerant ? [false, true] : [false] {
      let (words, length) = words(request, forced: forced)
      let hits = hits(request, words, length, bonus: bonus, accept: accept)
      if !hits.isEmpty { return hits }
    }
    return []
  }

  /// Versions made up to the point, ended or not, that have the term.
  private func documents(_ key: Key, made point: UInt64?) -> Int {
    versions.count { $0.from <= (point ?? .max) && $0.places[key] != nil }
  }

  private func visible(_ keys: [Key], _ point: UInt64?) -> Int {
    versions.count { version in version.sees(point) && keys.contains { version.places[$0] != nil } }
  }

  private func words(_ request: TextIndex.Request, forced: Bool) -> (words: [Word], length: UInt32)
  {
    var clauses: [QueryTokens.Clause] = []
    for clause in request.query.clauses {
      let typed = meanings(
        clause.terms[0], request, vocabulary, isOpen: isOpen(clause, request),
        isStemmed: isStemmed(clause, request))
      let splits =
        !request.exact && request.mode != .phrase && clause.parts.count > 1
        && visible(typed.map { $0.key }, request.asOf) == 0
      guard splits else {
        clauses.append(clause)
        continue
      }
      for part in clause.parts {
        var word = clause
        word.parts = []
        word.terms[0].bytes = part
        word.terms[0].variant = nil
        clauses.append(word)
      }
    }
    var result: [Word] = []
    var base: UInt32 = 0
    for (number, clause) in clauses.enumerated() {
      for (index, term) in clause.terms.enumerated() {
        let isLast = number == clauses.count - 1 && index == clause.terms.count - 1
        let isOpen = isLast && request.prefixLast && request.query.isOpen && term.space == .word
        let isAlone = request.mode != .phrase && clause.terms.count == 1
        var found = meanings(
          term, request, vocabulary, isOpen: isOpen, isStemmed: isStemmed(clause, request))
        if request.typoTolerant, isAlone, term.space == .word,
          forced || visible(found.map { $0.key }, request.asOf) < 5
        {
          let known = Set(found.map(\.key))
          found += typos(term.bytes, request, vocabulary, isOpen: isOpen, forced: forced).filter {
            !known.contains($0.key)
          }
        }
        // What came later says nothing of the past.
        let typed = found.filter { $0.match != .typo && documents($0.key, made: request.asOf) > 0 }
        let own = typed.filter { $0.match != .stem }
        let all = rarity(typed.isEmpty ? found : typed, request.asOf)
        result.append(
          Word(
            clause: request.mode == .phrase ? 0 : number, position: base + term.position,
            meanings: found,
            inverseFrequency: own.isEmpty ? all : (rarity(own, request.asOf) + all) / 2,
            isPrefix: term.isPrefix))
      }
      let last = clause.terms[clause.terms.count - 1]
      let isPair =
        last.space == .gram && String(decoding: last.bytes, as: UTF8.self).unicodeScalars.count > 1
      base += last.position + (isPair ? 2 : 1)
    }
    return (result, base)
  }

  private func rarity(_ meanings: [Meaning], _ point: UInt64?) -> Double {
    let total = Double(versions.count { $0.from <= (point ?? .max) })
    let count = min(Double(meanings.reduce(0) { $0 + documents($1.key, made: point) }), total)
    return log(1 + (total - count + 0.5) / (count + 0.5))
  }

  private func isStemmed(_ clause: QueryTokens.Clause, _ request: TextIndex.Request) -> Bool {
    request.mode != .phrase && clause.terms.count == 1 && clause.kind != .phrase && !request.exact
  }

  private func isOpen(_ clause: QueryTokens.Clause, _ request: TextIndex.Request) -> Bool {
    request.prefixLast && request.query.isOpen && clause == request.query.clauses.last
  }

  private func meanings(
    _ term: QueryTokens.Term, _ request: TextIndex.Request, _ vocabulary: Set<Key>, isOpen: Bool,
    isStemmed: Bool
  ) -> [Meaning] {
    let own = Key(space: term.space, bytes: term.bytes)
    let stemmers = isStemmed ? request.stemmer?.all ?? [] : []
    func isRelative(_ key: Key) -> Bool {
      guard key.space == .word else { return false }
      return stemmers.contains { stemmer in
        let stem = stemmer.stem(term.bytes)
        guard let root = stemmer.root(of: term.bytes, stem: stem), key.bytes.starts(with: root)
        else { return false }
        return stemmer.stem(key.bytes) == stem
      }
    }
    func isVariant(_ key: Key) -> Bool {
      guard isStemmed, let variant = term.variant else { return false }
      return key.bytes == variant
        || isOpen && variant.count >= 3 && key.bytes.starts(with: variant)
    }
    var result: [Meaning] = []
    for key in vocabulary {
      if key == own {
        result.append(Meaning(key: key, match: .whole))
      } else if term.isPrefix {
        if key.space == term.space, key.bytes.starts(with: term.bytes) {
          result.append(Meaning(key: key, match: .completion))
        }
      } else if term.space == .word, !request.exact, key.space != .gram {
        if key.space == .part, key.bytes == term.bytes {
          result.append(Meaning(key: key, match: .part))
        } else if isRelative(key) || isVariant(key) {
          result.append(Meaning(key: key, match: .stem))
        } else if isOpen, key.bytes.starts(with: term.bytes) {
          result.append(Meaning(key: key, match: .completion))
        }
      }
    }
    return result
  }

  private func typos(
    _ word: [UInt8], _ request: TextIndex.Request, _ vocabulary: Set<Key>, isOpen: Bool,
    forced: Bool
  ) -> [Meaning] {
    let letters = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
    guard letters.count >= 4, !word.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return [] }
    let most = letters.count < 8 ? 1 : 2
    var found: [Meaning] = []
    for key in vocabulary where key.space == .word {
      let other = Array(String(decoding: key.bytes, as: UTF8.self).unicodeScalars)
      guard other.first == letters.first else { continue }
      let ends = isOpen ? Array(0...other.count) : [other.count]
      let edits = ends.map { Self.distance(letters, Array(other[..<$0])) }.min() ?? 99
      guard edits > 0, edits <= most, visible([key], request.asOf) > 0 else { continue }
      found.append(Meaning(key: key, match: .typo, edits: edits))
    }
    if forced { return found }
    let best = found.map { $0.edits }.min() ?? 0
    found = found.filter { $0.edits == best }
    found.sort {
      let left = documents($0.key, made: nil)
      let right = documents($1.key, made: nil)
      return left != right ? left > right : $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
    }
    return Array(found.prefix(50))
  }

  /// Optimal string alignment.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count {
      for column in 0...right.count {
        if row == 0 || column == 0 {
          table[row][column] = row + column
          continue
        }
        let same = left[row - 1] == right[column - 1]
        var value = min(
          table[row - 1][column] + 1, table[row][column - 1] + 1,
          table[row - 1][column - 1] + (same ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          value = min(value, table[row - 2][column - 2] + 1)
        }
        table[row][column] = value
      }
    }
    return table[left.count][right.count]
  }
}
