import Glibc

@testable import TextIndex

extension Oracle {
  /// Scores every visible version.
  func hits(
    _ request: TextIndex.Request, _ words: [Word], _ length: UInt32, bonus: (UInt32) -> Double,
    accept: (UInt32) -> Bool
  ) -> [TextIndex.Hit] {
    guard !words.isEmpty else { return [] }
    let clauses = Set(words.map { $0.clause }).sorted()
    var result: [TextIndex.Hit] = []
    for version in versions where version.sees(request.asOf) && accept(version.item) {
      let matching = clauses.filter { clause in
        matches(version, words.filter { $0.clause == clause })
      }
      guard !matching.isEmpty, request.mode == .any || matching.count == clauses.count else {
        continue
      }
      var text = 0.0
      for word in words where matching.contains(word.clause) { text += contribution(word, version) }
      let isComplete =
        matching.count == clauses.count
        && words.allSatisfy { !places(version, $0, includesTypos: false).isEmpty }
      let tier = isComplete ? tier(version, words, length) : 0
      let score = request.tierScores[Int(tier)] + log(1 + text) + bonus(version.item)
      result.append(
        TextIndex.Hit(
          item: version.item, document: version.document, text: text, tier: tier, score: score))
    }
    result.sort { $0.score != $1.score ? $0.score > $1.score : $0.document < $1.document }
    return request.limit.map { Array(result.prefix($0)) } ?? result
  }

  private func places(_ version: Version, _ word: Word, includesTypos: Bool, only: TermMatch? = nil)
    -> Set<Place>
  {
    var result: Set<Place> = []
    for meaning in word.meanings where includesTypos || meaning.match != .typo {
      if let only, meaning.match != only { continue }
      result.formUnion(version.places[meaning.key] ?? [])
    }
    return result
  }

  private func matches(_ version: Version, _ words: [Word]) -> Bool {
    let first = places(version, words[0], includesTypos: true)
    return first.contains { start in
      words.dropFirst().allSatisfy { word in
        let place = Place(
          kind: start.kind, position: start.position + word.position - words[0].position)
        return places(version, word, includesTypos: true).contains(place)
      }
    }
  }

  private func contribution(_ word: Word, _ version: Version) -> Double {
    var total = 0.0
    let completion = word.isPrefix ? 100.0 : 60
    let classes: [(TermMatch, Int, Double)] = [
      (.whole, 0, 100), (.part, 0, 80), (.stem, 0, 40), (.completion, 0, completion),
      (.typo, 1, 70), (.typo, 2, 49),
    ]
    for (match, edits, weight) in classes {
      var sum = 0.0
      for meaning in word.meanings where meaning.match == match && meaning.edits == edits {
        sum += worth(meaning.key, version)
      }
      // Whole numbers: the steps are multiples of 1/16384.
      total += weight * (sum * 16_384)
    }
    let weighted = total / 1_638_400
    guard weighted > 0 else { return 0 }
    return word.inverseFrequency * (2.6 - 1.6 * 2.6 / (1.6 + weighted))
  }

  /// What a term is worth in a version: of the bounds, so many times as weights make of the sum.
  private func worth(_ key: Key, _ version: Version) -> Double {
    let places = version.places[key] ?? []
    guard !places.isEmpty else { return 0 }
    var (sum, plain) = (0.0, 0.0)
    for kind in 0..<4 {
      let frequency = places.filter { $0.kind == kind }.reduce(0.0) {
        $0 + Double(version.weights[$1] ?? 1)
      }
      guard frequency > 0 else { continue }
      let weight = [5, 3, 1.5, 1][kind]
      let b = [0.3, 0.3, 0.3, 0.75][kind]
      let average = [5.0, 8, 25, 120][kind]
      let share = weight / (1 - b + b / average * Double(version.lengths[kind]))
      sum += share * frequency
      plain += share * Double(places.count { $0.kind == kind })
    }
    let bounded = plain >= 16 ? 15.75 : max(plain, 0.0625)
    return Self.rounded(plain == bounded ? sum : sum / plain * bounded)
  }

  /// The greatest of the stored steps that is not above a value, the least one for less.
  private static func rounded(_ value: Double) -> Double {
    var best = 1.0 / 16_384
    for step in 1..<32 where Double(step) / 16_384 <= value { best = Double(step) / 16_384 }
    for octave in -9..<11 {
      for step in 0..<32 {
        let level = pow(2.0, Double(octave)) * (1 + Double(step) / 32)
        if level <= value { best = level }
      }
    }
    return best
  }

  private func tier(_ version: Version, _ words: [Word], _ length: UInt32) -> UInt8 {
    var best: UInt8 = 1
    for title in version.titles {
      let range = title.start..<title.start + title.length
      func typed(_ word: Word) -> [UInt32] {
        places(version, word, includesTypos: false).filter {
          $0.kind == 0 && range.contains($0.position)
        }.map { $0.position }.sorted()
      }
      func whole(_ word: Word) -> Bool {
        places(version, word, includesTypos: false, only: .whole).contains(
          Place(kind: 0, position: title.start + word.position))
      }
      if words.allSatisfy({ typed($0).contains(title.start + $0.position) }) {
        best = max(best, words.allSatisfy(whole) && length == title.length ? 4 : 3)
      }
      var next = title.start
      var isInOrder = true
      for word in words {
        guard let place = typed(word).first(where: { $0 >= next }) else {
          isInOrder = false
          break
        }
        next = place + 1
      }
      if isInOrder { best = max(best, 2) }
    }
    return best
  }
}
